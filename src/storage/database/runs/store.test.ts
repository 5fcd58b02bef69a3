import { runClaimsContract } from '../../../../test/contracts/run-claims.ts';
import { runStoreContract } from '../../../../test/contracts/run-store.ts';
import { onBothDatabases } from '../../../../test/support/databases.ts';
import { TALLY_FOLD } from '../../../reading/row-fold.ts';
import { databaseRuns } from './store.ts';

onBothDatabases('runs in a database', (database) => {
  const kind = {
    open: (folder: string) => databaseRuns({ database: database(), folder, fold: TALLY_FOLD }),
    isDurable: true,
  };
  runStoreContract('a run store', kind);
  runClaimsContract('a run store', kind);
});
