import type { RunResource } from '../../../../src/api/resources/run.ts';
import type { Manifest } from '../../../../src/core/manifest.ts';
import {
  takesStore,
  type CaseSelector,
  type RequestedSettings,
  type RunOptions,
} from '../../../../src/core/run-options.ts';
import { STORED_SUITE } from '../../../../src/core/test-case.ts';
import { given } from '../../../../src/lib/given.ts';
import { isObject } from '../../../../src/lib/json.ts';
import type { CaseFilters } from '../../cases/case-filters.ts';
import { isLive } from '../../feed/is-live.ts';
import { CONFIGURED_JUDGE, type AskedJudge } from '../../parts/asked-judge.ts';
import { NOTHING_ASKED, type Asked, type AskedAgent } from './plan.ts';
import { textWithoutModels } from './without-models.ts';

/** A run that is planned again: its cases stand in the address, the rest in the form and in the request. */
export interface Again {
  readonly search: CaseFilters & { readonly id?: readonly string[] };
  readonly asked: Asked;
  /** Keys of the request that the form has no field for. */
  readonly more: Readonly<Record<string, unknown>>;
}

/** The plan of an ended run of the store; undefined: it cannot be asked for here. */
export function againOf(run: RunResource): Again | undefined {
  const { options, judge } = run.manifest?.settings ?? {};
  if (run.manifest === null || run.kind !== 'run' || isLive(run) || options === undefined) return undefined;
  const search = searchOf(options.select ?? {});
  const isKnown = takesStore({ stored: options.stored === true, patterns: options.patterns ?? [] });
  const answerText = textWithoutModels(options.request ?? {}, judge);
  const isAsked = answerText !== undefined || areFields(options.request?.laid);
  if (search === undefined || !isKnown || !isAsked) return undefined;
  const asked = {
    ...askedOf(run, options, run.manifest.targets),
    isWithoutModels: answerText !== undefined,
    answerText: answerText ?? '',
  };
  return { search, asked, more: moreOf(options, asked) };
}

/** Whether the form can ask for all of it. */
function areFields(laid: RequestedSettings['laid'] = {}): boolean {
  const has = (value: unknown, keys: readonly string[]) =>
    !isObject(value) || Object.keys(value).every((key) => keys.includes(key));
  return (
    has(laid, ['judge', 'user', 'expectations']) &&
    has(laid['judge'], ['target', 'model', 'passThreshold']) &&
    has(laid['user'], ['model'])
  );
}

/** Undefined: an address cannot hold it. */
function searchOf({
  status,
  difficulty,
  tagAny,
  tagAll,
  search,
  ids,
  set,
}: CaseSelector): Again['search'] | undefined {
  if ((status?.length ?? 0) > 1 || (difficulty?.length ?? 0) > 1) return undefined;
  return given({
    status: status?.[0],
    difficulty: difficulty?.[0],
    tag_any: tagAny,
    tag_all: tagAll,
    search,
    id: ids,
    set,
  });
}

type Targets = Manifest['targets'];

function askedOf(
  { line, tags }: Pick<RunResource, 'line' | 'tags'>,
  options: Partial<RunOptions>,
  targets: Targets,
): Asked {
  const { laid } = options.request ?? {};
  const user = laid?.['user'];
  const text = (value: number | undefined) => (value === undefined ? '' : String(value));
  return {
    ...NOTHING_ASKED,
    // The line that a run has without being given one.
    line: line === null || line === STORED_SUITE ? '' : line,
    tags: tags.join('\n'),
    targets: targets.flatMap(({ name, agent }) => (agent === undefined ? [name] : [])),
    agents: agentsOf(targets),
    repetitions: text(options.repeat),
    concurrency: text(options.concurrency),
    seed: text(options.seed),
    budget: text(options.maxCostUsd),
    unknownCost: options.allowUnknownCost === true,
    userModel: isObject(user) && typeof user['model'] === 'string' ? user['model'] : '',
    judge: judgeIn(laid?.['judge']),
    baseline: options.baseline !== undefined,
  };
}

/** An agent that ran in one version is taken in its newest one: a new version is what is usually tried. */
function agentsOf(targets: Targets): readonly AskedAgent[] {
  const agents = targets.flatMap(({ agent }) => (agent === undefined ? [] : [agent]));
  return agents.map(({ id, version }) => {
    const isAlone = agents.filter((other) => other.id === id).length === 1;
    return { id, version: isAlone ? '' : String(version) };
  });
}

function judgeIn(laid: unknown): AskedJudge {
  const judge = isObject(laid) ? laid : {};
  const text = (key: string) => {
    const value = judge[key];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const target = typeof laid === 'string' ? laid : text('target');
  return { ...CONFIGURED_JUDGE, target, model: text('model'), passScore: text('passThreshold') };
}

function moreOf(
  options: Partial<RunOptions>,
  { isWithoutModels: isInForm }: Pick<Asked, 'isWithoutModels'>,
): Again['more'] {
  const { request = {} } = options;
  const { limits = {} } = request;
  const limited = given({
    timeout_ms: limits.timeoutMs,
    turn_timeout_ms: limits.turnTimeoutMs,
    idle_timeout_ms: limits.idleTimeoutMs,
    max_turns: limits.maxTurns,
    max_steps: limits.maxSteps,
    max_tokens: limits.maxTokens,
    max_cost_usd: limits.maxCostUsd,
  });
  return given({
    expectations: isInForm ? undefined : request.laid?.['expectations'],
    difficulty_weights: request.difficultyWeights,
    limits: isInForm || Object.keys(limited).length === 0 ? undefined : limited,
    on_limit: options.onLimit,
    first_speaker: options.firstSpeaker,
    max_errored: options.maxErrored,
    threshold: options.threshold,
    fail_fast: options.failFast,
    strict: options.strict,
    sample: options.sample,
    limit: options.limit,
    gates: options.gates,
  });
}
