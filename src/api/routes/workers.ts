import { workers, workersQuery } from '../resources/worker.ts';
import { read, type Route } from '../route.ts';

/** The processes that run trials. */
export const workerRoutes = {
  listWorkers: read({
    path: '/workers',
    summary: 'The workers of the last 24 hours, the newest first; an embedded database has none',
    query: workersQuery,
    answer: workers,
    needs: 'store',
  }),
} as const satisfies Readonly<Record<string, Route>>;
