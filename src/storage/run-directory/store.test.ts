import { runClaimsContract } from '../../../test/contracts/run-claims.ts';
import { runStoreContract } from '../../../test/contracts/run-store.ts';
import { runDirectories } from './store.ts';

const kind = { open: (folder: string) => runDirectories(folder, folder), isDurable: true };

runStoreContract('run directories', kind);
runClaimsContract('run directories', kind);
