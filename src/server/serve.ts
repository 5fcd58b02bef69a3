import type { Settings } from '../api/resources/settings.ts';
import { openAccessLimits } from '../app/access/access-limits.ts';
import { noAuth, tokenAuth } from '../app/access/authenticate.ts';
import type { AgentRoom } from '../app/agent-room.ts';
import type { Conductor } from '../app/conductor.ts';
import type { MetricRoom } from '../app/edit-metric.ts';
import { runSummaries } from '../app/view/run-summaries.ts';
import { USUAL_SERVER_LIMITS, type ServerLimits } from '../core/server-limits.ts';
import type { Store } from '../core/store.ts';
import { accountHandlers } from './accounts.ts';
import { admission } from './admission.ts';
import { agentHandlers } from './agents.ts';
import { baselineHandlers } from './baselines.ts';
import { previewCase } from '../app/preview-case.ts';
import { caseFileHandlers } from './case-files.ts';
import { setHandlers } from './case-sets.ts';
import { databaseHandlers } from './database.ts';
import { metricHandlers } from './metrics.ts';
import type { Handlers } from './operation.ts';
import { handlersOfRuns } from './run-rooms.ts';
import { reviewHandlers } from './reviews.ts';
import { startServer, type ListeningServer, type ServerPlace } from './server.ts';
import { sessionHandlers } from './session.ts';
import { storedRunHandlers } from './stored-runs.ts';
import { caseHandlers } from './test-cases.ts';
import { uploadHandlers } from './uploads.ts';
import { workerHandlers } from './workers.ts';

/** What the handlers of a store work with. */
export interface ServedRooms {
  readonly store: Store;
  /** The agents of the store under the config of the server. */
  readonly agents: AgentRoom;
  /** Executes runs. */
  readonly conductor: Conductor;
  /** The metrics of the config. */
  readonly metrics: MetricRoom['ofConfig'];
  /** Milliseconds since 1970. */
  now(): number;
}

export interface ServeOptions extends ServedRooms {
  /** Absent: the usual ones. */
  readonly limits?: ServerLimits | undefined;
  readonly settings: Omit<Settings, 'config_changed'>;
  readonly place: Omit<ServerPlace, 'hosts'>;
  /** Whether the config file was changed after the server started. */
  configChanged(): Promise<boolean>;
  /** Called with errors of the server itself. Answers do not contain them. */
  onFault(fault: unknown): void;
}

/** Serves the API and the dashboard over a store. Throws `port-in-use`. */
export function startServe(options: ServeOptions): Promise<ListeningServer> {
  const { store, settings, place, configChanged, now, onFault, limits = USUAL_SERVER_LIMITS } = options;
  const settingsNow = async () => ({ ...settings, config_changed: await configChanged() });
  const door = admissionTo(store, { ...options, limits });
  const api = {
    mode: 'serve',
    handlers: {
      ...handlersOf({ ...options, limits }, settingsNow),
      ...sessionHandlers({ sessions: store.sessions, admission: door, now }),
    },
    admission: door,
    limits,
    answers: { keys: store.idempotency, now },
    onFault,
  } as const;
  return startServer(api, { ...place, hosts: settings.auth === 'token' ? 'any' : 'loopback' });
}

/** One line for each room of the store. */
function handlersOf(
  { store, agents, conductor, metrics, now, limits }: ServedRooms & { readonly limits: ServerLimits },
  settings: () => Promise<Settings>,
): Omit<Handlers, 'getSession' | 'signIn' | 'signOut'> {
  const runs = runSummaries(store.runs, store.listings);
  return {
    ...handlersOfRuns(runs, settings),
    getReadiness: async () => {
      await store.ready();
      return { status: 'ok' };
    },
    ...storedRunHandlers({ summaries: runs, conductor, listings: store.listings }),
    ...caseHandlers(store),
    previewTestCase: ({ body }) => previewCase(body, agents.loaded, store.metrics),
    ...reviewHandlers({ runs, reviews: store.reviews, now }),
    ...baselineHandlers(store.baselines),
    ...uploadHandlers(store.uploads),
    ...caseFileHandlers({ cases: store.cases, limits, now }),
    ...setHandlers(store.sets),
    ...agentHandlers(agents),
    ...accountHandlers(store, now),
    ...databaseHandlers(store.upkeep),
    ...workerHandlers(store.queue),
    ...metricHandlers({ metrics: store.metrics, ofConfig: metrics }),
  };
}

function admissionTo(
  { accounts, tokens, sessions }: Store,
  {
    settings: { auth },
    now,
    limits: most,
  }: Pick<ServeOptions, 'settings' | 'now'> & { readonly limits: ServerLimits },
) {
  if (auth === 'none') return admission({ authentication: noAuth(accounts), now });
  const limits = { ...openAccessLimits(most), maxFeeds: most.maxFeeds };
  return admission({ authentication: tokenAuth({ tokens, sessions, limits, now }), limits, now });
}
