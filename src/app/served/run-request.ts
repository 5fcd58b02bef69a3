import { randomUUID } from 'node:crypto';

import { LIMIT_NAMES, OPTION_NAMES, SELECTOR_NAMES } from '../../core/request-names.ts';
import type { RunOptions } from '../../core/run-options.ts';
import type { RunStore } from '../../core/run-store.ts';
import { given } from '../../lib/given.ts';
import { renamed } from '../../lib/renamed.ts';
import { notSent } from './not-sent.ts';
import type { ServerApi } from './server-api.ts';

/** What a server is asked for. */
export interface ServerRequest {
  readonly body: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string;
}

/** Options without a place in a request, and what to do instead. */
const NOT_SENT = {
  config: ['--config', 'the server has read its config when it started'],
  sandbox: ['--sandbox', 'set `run.sandbox` in the config of the server'],
  requireIsolation: ['--require-isolation', 'set `run.sandbox` in the config of the server'],
  cassette: ['--cassette', 'stop the server, or leave it out'],
  shard: ['--shard', 'leave it out: the server runs all trials'],
  failed: ['--failed', 'resume that run with --retry, or name its cases with --id'],
  updateSnapshots: ['--update-snapshots', 'it is for code suites; leave it out'],
  tags: ['--tag', 'use --tag-any or --tag-all'],
  excludeTags: ['--exclude-tag', 'use --tag-any, --tag-all or a set'],
} as const satisfies Partial<Record<keyof RunOptions, readonly [flag: string, hint: string]>>;

/** The request for a run of a server. Throws `usage` for options that only this process could honour. */
export async function runRequest(
  options: RunOptions,
  api: ServerApi,
  runs: Pick<RunStore, 'find'>,
): Promise<ServerRequest> {
  refuseOwn(options, api);
  const { targets, agents } = await chosen(options.targets, api);
  const body = {
    select: renamed(options.select ?? {}, SELECTOR_NAMES),
    ...renamed(options, OPTION_NAMES),
    ...given({
      targets,
      agents,
      limits: limitsOf(options),
      baseline: options.baseline === undefined ? undefined : await baselineOf(options.baseline, runs),
      judge: options.judge === undefined ? undefined : { target: options.judge },
    }),
  };
  return { body, idempotencyKey: randomUUID() };
}

function refuseOwn(options: RunOptions, { url }: ServerApi): void {
  const own = Object.entries(NOT_SENT).find(([name]) => options[name as keyof typeof NOT_SENT] !== undefined);
  if (own !== undefined) throw notSent(own[1][0], own[1][1], url);
  if (options.cases.length > 0) throw notSent('--case', 'use --id with an id or a name', url);
}

/** Targets of the server's config, and agents of its store. */
async function chosen(names: readonly string[], api: ServerApi) {
  if (names.length === 0) return {};
  const settings = await api.get((get) => get<'getSettings'>('/settings', { path: {} }));
  const targets = names.filter((name) => settings.targets.includes(name));
  const agents = names.filter((name) => !settings.targets.includes(name)).map(agentOf);
  return {
    targets: targets.length === 0 ? undefined : targets,
    agents: agents.length === 0 ? undefined : agents,
  };
}

function agentOf(name: string): { readonly id: string; readonly version?: number } {
  const [, id, version] = /^(.+)@(\d+)$/s.exec(name) ?? [];
  return id === undefined ? { id: name } : { id, version: Number(version) };
}

function limitsOf({ timeoutMs, maxSteps }: RunOptions): object | undefined {
  if (timeoutMs === undefined && maxSteps === undefined) return undefined;
  return renamed({ timeoutMs, maxSteps }, LIMIT_NAMES);
}

async function baselineOf(reference: string, runs: Pick<RunStore, 'find'>): Promise<object> {
  const { run, target } = await runs.find(reference);
  return { run_id: run.name, ...given({ target }) };
}
