import { defaultTargets } from '../authoring/config/default-targets.ts';
import type { LoadedConfig } from '../authoring/config/load-config.ts';
import { problemAt } from '../authoring/config/locate.ts';
import { readStartRequest, type StartRequest } from '../authoring/config/start-request.ts';
import type { Fault } from '../authoring/yaml/fault.ts';
import type { KeyEntry } from '../core/idempotency-keys.ts';
import { AuthoringError, type Problem } from '../core/problem.ts';
import type { ListedRun } from '../core/run-store.ts';
import { STORED_SUITE } from '../core/test-case.ts';
import { given } from '../lib/given.ts';
import type { JsonObject } from '../lib/json.ts';
import { isUuid } from '../lib/uuid.ts';
import type { ActiveRuns } from './active-runs.ts';
import { chooseTargets, type ChosenTargets } from './planning/choose-agents.ts';
import { listedBySet, selectedSet } from './planning/selected-set.ts';
import { namingAgents } from './planning/naming-agents.ts';
import { holdingBaseline } from './gates/holding-baseline.ts';
import { openConfig } from './project/open-config.ts';
import type { Surroundings } from './surroundings.ts';

/** A run that has begun, or only its plan. */
export type StartedRun = { readonly id: string } | { readonly plan: JsonObject };

export interface Conducting {
  /** Path of the config; absent: searched upward. */
  readonly config?: string | undefined;
  readonly runs: ActiveRuns;
  readonly around: Surroundings;
}

/** The account that asks for a run, and the entry of the idempotency key of the request. */
export interface Asking {
  readonly accountId: string;
  readonly entry: KeyEntry | undefined;
}

/** Plans a run of the store and begins it, or only plans it. Throws all problems of the request at once. */
export async function startStored(
  body: unknown,
  { accountId, entry }: Asking,
  { runs, around, config }: Conducting,
): Promise<StartedRun> {
  const loaded = await configNow(around, config);
  const { request, faults } = readStartRequest(body, [...loaded.written.keys()]);
  if (request === undefined) throw new AuthoringError(problemsOf(faults));
  const chosen = await chosenAgents(request, around);
  const { agents, names } = chosen;
  const targets = names.length === 0 ? defaultTargets(loaded, 'data').names : names;
  const set = await selectedSet(request.options.select?.set, around);
  const bySet = listedBySet(set, request.named.line);
  const baseline = request.wantsBaseline ? await baselineOf(bySet.line ?? STORED_SUITE, targets, around) : {};
  const named = await namingAgents(faults, body, around);
  const found = [...problemsOf(named), ...chosen.problems, ...(baseline.problems ?? [])];
  const options = {
    ...request.options,
    targets: names,
    ...given({ config, baseline: baseline.reference ?? request.options.baseline }),
  };
  const { startRun, dryRun } = await import('./start-run.ts');
  if (request.isDry) {
    const plan = await dryRun(options, { surroundings: around, form: 'json', found, agents });
    return { plan: JSON.parse(plan) as JsonObject };
  }
  const listed = {
    origin: 'server',
    state: 'queued',
    settings: body as JsonObject,
    ...request.named,
    ...bySet,
    ...creator(accountId),
    ...(entry === undefined ? {} : { request: entry }),
  } as const;
  return {
    id: await runs.begin((site) => startRun(options, site, { listed, found, agents })),
  };
}

/** The targets of a request: its agents first. */
async function chosenAgents(
  { options, agents }: StartRequest,
  { store }: Surroundings,
): Promise<ChosenTargets> {
  const { targets: names } = options;
  const opened = agents.length === 0 ? undefined : await store?.find();
  if (opened === undefined) return { names, agents: [], problems: [] };
  const asked = agents.map(({ id, version }, index) => ({
    agent: id,
    version,
    place: { file: 'request', path: ['agents', index, version === undefined ? 'id' : 'version'] },
  }));
  const chosen = await chooseTargets(asked, { configured: [], agents: opened.agents });
  return { ...chosen, names: [...chosen.names, ...names] };
}

/** What `baseline: true` means. A request without a sound target has other problems. */
async function baselineOf(
  line: string,
  targets: readonly string[],
  { store: door }: Surroundings,
): Promise<{ readonly reference?: string; readonly problems?: readonly Problem[] }> {
  const store = await door?.find();
  if (store === undefined || targets.length === 0) return {};
  const holding = await holdingBaseline({ targets, line }, store.baselines);
  return 'problem' in holding ? { problems: [holding.problem] } : holding;
}

/** An account without a row, such as that of a server without authentication, has another form. */
export function creator(accountId: string): Pick<ListedRun, 'createdBy'> {
  return isUuid(accountId) ? { createdBy: accountId } : {};
}

export async function configNow(around: Surroundings, config: string | undefined): Promise<LoadedConfig> {
  const { loaded, problems } = await openConfig({ file: config, start: around.cwd, surroundings: around });
  if (loaded === undefined) throw new AuthoringError(problems);
  return loaded;
}

export function problemsOf(faults: readonly Fault[]): readonly Problem[] {
  return faults.map((found) => problemAt({ file: 'request' }, found));
}
