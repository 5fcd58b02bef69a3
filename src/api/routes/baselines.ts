import { baseline, baselineBody, baselines, baselinesQuery } from '../resources/baseline.ts';
import { create, readStore, write, type Route } from '../route.ts';

/** The runs that others are compared with. */
export const baselineRoutes = {
  listBaselines: readStore({
    path: '/baselines',
    summary: 'Current baselines, by target and line',
    query: baselinesQuery,
    answer: baselines,
  }),
  setBaseline: create({
    path: '/baselines',
    summary: 'Make a completed run the baseline of a target and a line',
    body: baselineBody,
    answer: baseline,
    tagged: true,
  }),
  clearBaseline: write({
    method: 'DELETE',
    path: '/baselines/{id}',
    summary: 'Clear a baseline; the store keeps its record, with `cleared_at`',
    answer: baseline,
  }),
} as const satisfies Readonly<Record<string, Route>>;
