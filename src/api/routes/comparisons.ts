import { comparison, comparisonQuery, tagComparisons } from '../resources/comparison.ts';
import { trends, trendsQuery } from '../resources/trends.ts';
import { readRuns, type Route } from '../route.ts';

/** Comparisons of runs. */
export const comparisonRoutes = {
  listTrends: readRuns({
    path: '/trends',
    summary: 'The results of each run and target over time',
    query: trendsQuery,
    answer: trends,
  }),
  compareRuns: readRuns({
    path: '/comparisons',
    summary: 'Comparison of two runs',
    query: comparisonQuery,
    answer: comparison,
  }),
  compareTags: readRuns({
    path: '/comparisons/tags',
    summary: 'The comparison by tag: how many cases got worse or better',
    query: comparisonQuery,
    answer: tagComparisons,
  }),
} as const satisfies Readonly<Record<string, Route>>;
