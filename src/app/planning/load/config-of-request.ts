import type { LoadedConfig } from '../../../authoring/config/load-config.ts';
import { runSettings } from '../../../authoring/config/run-settings.ts';
import { given } from '../../../lib/given.ts';
import { underRequest } from '../lay-request.ts';
import { takesStore, type RunOptions } from '../../../core/run-options.ts';
import type { LoadedAgents } from './load-agents.ts';
import type { LoadRequest } from './load-request.ts';

/** The config with the agents of the store that a request asks for. */
export async function withAgentsOf(
  { options, surroundings, agents }: LoadRequest,
  written: LoadedConfig | undefined,
): Promise<Omit<LoadedAgents, 'loaded'> & { readonly loaded: LoadedConfig | undefined }> {
  const { targets: names = [] } = options;
  if (written === undefined || !takesStore(options)) return { loaded: written, targets: names, problems: [] };
  const { loadAgents } = await import('./load-agents.ts');
  return await loadAgents(written, { names, agents }, surroundings);
}

/** The config of a run of the store with the metrics of the store, or with those that the run has frozen. */
export async function withMetricsOf(
  { options, surroundings, cases, metrics }: LoadRequest,
  written: LoadedConfig | undefined,
): Promise<LoadedConfig | undefined> {
  if (written === undefined || !takesStore(options)) return written;
  if (cases !== undefined) {
    const config = { ...written.config, ...given({ metrics }) } as LoadedConfig['config'];
    return { ...written, config };
  }
  const store = await surroundings.store?.find();
  if (store === undefined) return written;
  const { withStoredMetrics } = await import('../with-metrics.ts');
  return await withStoredMetrics(written, store.metrics);
}

/** Config and settings under those of a request. */
export function settledBy(written: LoadedConfig | undefined, request: RunOptions['request']) {
  if (written === undefined) return { loaded: undefined, run: undefined };
  const own = runSettings(written);
  const { loaded, run } = underRequest({ loaded: written, run: own.settings }, request);
  return { loaded, run: { ...own, settings: run } };
}
