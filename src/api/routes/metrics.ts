import { metric, metricBody, metricFields, metrics, metricsQuery } from '../resources/metric.ts';
import { read, write, type Route } from '../route.ts';

/** The judge metrics. */
export const metricRoutes = {
  listMetrics: read({
    path: '/metrics',
    summary: 'Judge metrics: built-in ones, those of the config, and those of the store, oldest first',
    query: metricsQuery,
    answer: metrics,
    needs: 'store',
  }),
  createMetric: write({
    method: 'POST',
    path: '/metrics',
    summary: 'Add a judge metric',
    body: metricBody,
    status: 201,
    answer: metric,
    tagged: true,
  }),
  getMetric: read({
    path: '/metrics/{id}',
    summary: 'One judge metric',
    answer: metric,
    needs: 'store',
    tagged: true,
  }),
  replaceMetric: write({
    method: 'PUT',
    path: '/metrics/{id}',
    summary: 'Replace all fields of a judge metric; an archived metric is restored',
    body: metricFields,
    status: 200,
    answer: metric,
    tagged: true,
    ifMatch: true,
  }),
  archiveMetric: write({
    method: 'DELETE',
    path: '/metrics/{id}',
    summary: 'Archive a judge metric: runs planned later cannot use it',
    status: 200,
    answer: metric,
    tagged: true,
    ifMatch: true,
  }),
} as const satisfies Readonly<Record<string, Route>>;
