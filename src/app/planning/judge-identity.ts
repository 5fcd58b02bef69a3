import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import {
  lentJudge,
  namesTarget,
  type JudgeChoice,
  type JudgeSettings,
  type LentJudge,
} from '../../core/judge.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import { judgeOfConfig } from '../binding/choose-judge.ts';
import { parseModelName } from '../../models/model-name.ts';

/** The part of a judge that the digest of a grader covers: as written, without values of the environment. */
export interface JudgeIdentity {
  /** Identity of a grader's judge for a target. Without a target: for all targets without a judge of their own. */
  of(named: JudgeChoice | null, target?: string): JsonValue;
  /** Targets with a different judge. */
  readonly apart: readonly string[];
}

export function judgeIdentity(loaded: LoadedConfig, flag: string | undefined): JudgeIdentity {
  const { models = {} } = loaded.config;
  const written = (choice: JudgeChoice | undefined): JsonValue => {
    if (choice === undefined) return null;
    if (!namesTarget(choice)) return askedWhere(askedHow(choice), models);
    const { target, ...how } = askedHow(lentJudge(choice));
    const keys = loaded.written.get(String(target))?.keys as JsonObject | undefined;
    const own = keys === undefined ? null : askedWhere(lent(keys, loaded), models);
    return { target: String(target), keys: own, ...(Object.keys(how).length === 0 ? {} : { settings: how }) };
  };
  const own = (target: string) => loaded.written.get(target)?.keys['judge'] as JudgeChoice | undefined;
  const shared = judgeOfConfig(loaded.config.judge);
  return {
    of: (named, target) =>
      written(flag ?? named ?? (target === undefined ? undefined : own(target)) ?? shared),
    apart: flag === undefined ? [...loaded.written.keys()].filter((name) => own(name) !== undefined) : [],
  };
}

/** Without what stored cases are scored by, which their graders carry themselves, and what changes no answer. */
function askedHow(choice: JudgeSettings | LentJudge): JsonObject {
  return only(choice as unknown as JsonObject, (key) => !SCORING_KEYS.has(key) && !ASIDE.has(key));
}

/** The part of a target that decides its judgements: the model and its settings, or for other types all settings. */
function lent(keys: JsonObject, { plugins }: Pick<LoadedConfig, 'plugins'>): JsonObject {
  const isModel = plugins.get(String(keys['type']))?.asModel !== undefined;
  return only(keys, (key) => (isModel ? LENT.has(key) : !ASIDE.has(key)));
}

function only(keys: JsonObject, isKept: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(keys).filter(([key]) => isKept(key)));
}

const SCORING_KEYS: ReadonlySet<string> = new Set([
  'metrics',
  'passThreshold',
  'scoreGate',
  'toolCalls',
  'outcomes',
]);

const LENT: ReadonlySet<string> = new Set(['type', 'model', 'baseUrl', 'temperature', 'maxOutputTokens']);

/** Settings that change no answer: price, timeouts, retries, keys and its own judge. */
const ASIDE: ReadonlySet<string> = new Set([
  'price',
  'apiKeyEnv',
  'maxParallel',
  'timeoutMs',
  'idleTimeoutMs',
  'retryInfrastructure',
  'healthcheck',
  'judge',
]);

type Models = NonNullable<LoadedConfig['config']['models']>;

/** Adds the endpoint, which the provider may define: the same model at another endpoint is another judge. */
function askedWhere(keys: JsonObject, models: Models): JsonObject {
  const { model, baseUrl } = keys;
  const provider = typeof model === 'string' ? parseModelName(model)?.provider : undefined;
  const endpoint = baseUrl ?? (provider === undefined ? undefined : models[provider]?.baseUrl);
  return typeof endpoint === 'string' ? { ...keys, baseUrl: withoutSecrets(endpoint) } : keys;
}

/** Removes credentials from a URL. */
function withoutSecrets(url: string): string {
  return url.replace(/\/\/[^/?#]*@/, '//').replace(/[?#].*$/s, '');
}
