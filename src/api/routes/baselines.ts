import { baseline, baselineBody, baselines, baselinesQuery } from '../resources/baseline.ts';
import { read, write, type Route } from '../route.ts';

/** The runs that others are compared with. */
export const baselineRoutes = {
  listBaselines: read({
    path: '/baselines',
    summary: 'Current baselines, by target and line',
    query: baselinesQuery,
    answer: baselines,
    needs: 'store',
  }),
  setBaseline: write({
    method: 'POST',
    path: '/baselines',
    summary: 'Make a completed run the baseline of a target and a line',
    body: baselineBody,
    status: 201,
    answer: baseline,
    tagged: true,
  }),
  clearBaseline: write({
    method: 'DELETE',
    path: '/baselines/{id}',
    summary: 'Clear a baseline; the store keeps its record, with `cleared_at`',
    status: 200,
    answer: baseline,
  }),
} as const satisfies Readonly<Record<string, Route>>;
