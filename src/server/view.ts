import type { Settings } from '../api/resources/settings.ts';
import type { RunSummaries } from '../app/view/run-summaries.ts';
import { everybody } from './admission.ts';
import { handlersOfRuns } from './run-rooms.ts';
import { startServer, type RunningServer, type ServerPlace } from './server.ts';

export interface ViewOptions extends Pick<ServerPlace, 'dashboard' | 'port'> {
  readonly runs: RunSummaries;
  readonly settings: Omit<Settings, 'config_changed'>;
  /** Called with errors of the server itself. Answers do not contain them. */
  onFault(fault: unknown): void;
}

/** Serves the dashboard over runs, read-only, on loopback. Throws `port-in-use`. */
export function startView({ runs, settings, onFault, ...place }: ViewOptions): Promise<RunningServer> {
  const handlers = handlersOfRuns(runs, async () => ({ ...settings, config_changed: false }));
  return startServer({ mode: 'view', handlers, admission: everybody, onFault }, place);
}
