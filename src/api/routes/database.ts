import { databaseState, pruneBody, pruned, rebuilt } from '../resources/database.ts';
import { readStore, write, type Route } from '../route.ts';

/** The database of the server, for admins. */
export const databaseRoutes = {
  getDatabase: readStore({
    path: '/database',
    summary: 'The database and its migrations',
    answer: databaseState,
  }),
  rebuildDatabase: write({
    method: 'POST',
    path: '/database/rebuild',
    summary: 'Recompute trials, grades and totals from the logs of all runs',
    answer: rebuilt,
  }),
  pruneDatabase: write({
    method: 'POST',
    path: '/database/prune',
    summary: 'Remove runs that were archived before a time, with their logs and files',
    body: pruneBody,
    answer: pruned,
  }),
} as const satisfies Readonly<Record<string, Route>>;
