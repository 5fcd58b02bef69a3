import { runClaimsContract } from '../../../test/contracts/run-claims.ts';
import { runStoreContract } from '../../../test/contracts/run-store.ts';
import { logIndexes } from './log-index.ts';
import { runDirectories } from './store.ts';

const kind = { open: (folder: string) => runDirectories(folder, folder), isDurable: true };

runStoreContract('run directories', kind);
runClaimsContract('run directories', kind);
runStoreContract('run directories that are looked into again and again', {
  open: (folder) => runDirectories(folder, folder, { indexes: logIndexes() }),
  isDurable: true,
});
