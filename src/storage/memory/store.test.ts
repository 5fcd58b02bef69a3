import { runClaimsContract } from '../../../test/contracts/run-claims.ts';
import { runStoreContract } from '../../../test/contracts/run-store.ts';
import { memoryRuns } from './store.ts';

const kind = { open: memoryRuns, isDurable: false };

runStoreContract('runs in memory', kind);
runClaimsContract('runs in memory', kind);
