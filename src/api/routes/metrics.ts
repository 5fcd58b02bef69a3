import { metric, metricBody, metricFields, metrics, metricsQuery } from '../resources/metric.ts';
import { change, create, readStore, type Route } from '../route.ts';

/** The judge metrics. */
export const metricRoutes = {
  listMetrics: readStore({
    path: '/metrics',
    summary: 'Judge metrics: built-in ones, those of the config, and those of the store, oldest first',
    query: metricsQuery,
    answer: metrics,
  }),
  createMetric: create({
    path: '/metrics',
    summary: 'Add a judge metric',
    body: metricBody,
    answer: metric,
    tagged: true,
  }),
  getMetric: readStore({
    path: '/metrics/{id}',
    summary: 'One judge metric',
    answer: metric,
    tagged: true,
  }),
  replaceMetric: change({
    method: 'PUT',
    path: '/metrics/{id}',
    summary: 'Replace all fields of a judge metric; an archived metric is restored',
    body: metricFields,
    answer: metric,
  }),
  archiveMetric: change({
    method: 'DELETE',
    path: '/metrics/{id}',
    summary: 'Archive a judge metric: runs planned later cannot use it',
    answer: metric,
  }),
} as const satisfies Readonly<Record<string, Route>>;
