import type { LoadedConfig } from '../authoring/config/load-config.ts';
import { problemAt } from '../authoring/config/locate.ts';
import type { Fault } from '../authoring/yaml/fault.ts';
import type { KeyEntry } from '../core/idempotency-keys.ts';
import { AuthoringError, type Problem } from '../core/problem.ts';
import type { ListedRun } from '../core/run-store.ts';
import { given } from '../lib/given.ts';
import type { JsonObject } from '../lib/json.ts';
import { isUuid } from '../lib/uuid.ts';
import type { ActiveRuns } from './active-runs.ts';
import { askedStart } from './asked-start.ts';
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
  const { request, found, agents, bySet, ...asked } = await askedStart(body, loaded, around);
  const options = { ...asked.options, ...given({ config }) };
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
