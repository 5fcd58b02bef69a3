import { comparison, comparisonQuery, tagComparisons } from '../resources/comparison.ts';
import { trends, trendsQuery } from '../resources/trends.ts';
import { read, type Route } from '../route.ts';

/** Comparisons of runs. */
export const comparisonRoutes = {
  listTrends: read({
    path: '/trends',
    summary: 'The results of each run and target over time',
    query: trendsQuery,
    answer: trends,
    needs: 'runs',
  }),
  compareRuns: read({
    path: '/comparisons',
    summary: 'Comparison of two runs',
    query: comparisonQuery,
    answer: comparison,
    needs: 'runs',
  }),
  compareTags: read({
    path: '/comparisons/tags',
    summary: 'The comparison by tag: how many cases got worse or better',
    query: comparisonQuery,
    answer: tagComparisons,
    needs: 'runs',
  }),
} as const satisfies Readonly<Record<string, Route>>;
