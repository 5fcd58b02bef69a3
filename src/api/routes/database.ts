import { databaseState, pruneBody, pruned, rebuilt } from '../resources/database.ts';
import { read, write, type Route } from '../route.ts';

/** The database of the server, for admins. */
export const databaseRoutes = {
  getDatabase: read({
    path: '/database',
    summary: 'The database and its migrations',
    answer: databaseState,
    needs: 'store',
  }),
  rebuildDatabase: write({
    method: 'POST',
    path: '/database/rebuild',
    summary: 'Recompute trials, grades and totals from the logs of all runs',
    status: 200,
    answer: rebuilt,
  }),
  pruneDatabase: write({
    method: 'POST',
    path: '/database/prune',
    summary: 'Remove runs that were archived before a time, with their logs and files',
    body: pruneBody,
    status: 200,
    answer: pruned,
  }),
} as const satisfies Readonly<Record<string, Route>>;
