import { useInfiniteQuery, useQuery } from '@tanstack/react-query';

import { asked, askedPages, usePages } from '../asked.ts';
import type { ArchivedFilter } from '../parts/archived.ts';

/** The settings as they are now: the config file can change while a page is open. */
export function useSettingsNow() {
  return useQuery({
    ...asked<'getSettings'>(['settings'], '/settings', { path: {} }),
    refetchOnMount: 'always',
  });
}

export function useMetricList(filter: ArchivedFilter) {
  return usePages<'listMetrics'>(['metrics', filter], '/metrics', {
    path: {},
    query: { ...filter, limit: 200 },
  });
}

export const metricQuery = (id: string) =>
  asked<'getMetric'>(['metric', id], '/metrics/{id}', { path: { id } });

export function useTokens() {
  return usePages<'listTokens'>(['tokens'], '/tokens', { path: {}, query: { limit: 100 } });
}

/** The workers of the last day, asked again while the page is open. */
export function useWorkers() {
  return useInfiniteQuery({
    ...askedPages<'listWorkers'>(['workers'], '/workers', { path: {}, query: { limit: 100 } }),
    refetchOnMount: 'always',
    refetchInterval: 5000,
  });
}

export function useAccounts() {
  return usePages<'listAccounts'>(['accounts'], '/accounts', { path: {}, query: { limit: 100 } });
}
