import type { Route } from './route.ts';
import { agentRoutes } from './routes/agents.ts';
import { accountRoutes } from './routes/accounts.ts';
import { baselineRoutes } from './routes/baselines.ts';
import { caseRoutes } from './routes/cases.ts';
import { comparisonRoutes } from './routes/comparisons.ts';
import { databaseRoutes } from './routes/database.ts';
import { metricRoutes } from './routes/metrics.ts';
import { reviewRoutes } from './routes/reviews.ts';
import { runRoutes } from './routes/runs.ts';
import { serverRoutes } from './routes/server.ts';
import { sessionRoutes } from './routes/session.ts';
import { setRoutes } from './routes/sets.ts';
import { storedRunRoutes } from './routes/stored-runs.ts';
import { trialRoutes } from './routes/trials.ts';
import { uploadRoutes } from './routes/upload.ts';
import { workerRoutes } from './routes/workers.ts';

/** Every operation of the API, by its name. */
export const table = {
  ...runRoutes,
  ...storedRunRoutes,
  ...trialRoutes,
  ...comparisonRoutes,
  ...caseRoutes,
  ...setRoutes,
  ...agentRoutes,
  ...reviewRoutes,
  ...baselineRoutes,
  ...uploadRoutes,
  ...accountRoutes,
  ...sessionRoutes,
  ...metricRoutes,
  ...databaseRoutes,
  ...workerRoutes,
  ...serverRoutes,
} as const satisfies Readonly<Record<string, Route>>;

export type Table = typeof table;
export type Operation = keyof Table;
