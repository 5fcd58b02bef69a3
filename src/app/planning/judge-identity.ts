import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import {
  lentJudge,
  namesTarget,
  type JudgeChoice,
  type JudgeSettings,
  type LentJudge,
} from '../../core/judge.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import { judgeOfConfig } from '../running/choose-judge.ts';
import { parseModelName } from '../../models/model-name.ts';

/** What of a judge belongs to the digest of a grader: as written, so that no value of the environment is in it. */
export interface JudgeIdentity {
  /** Of the judge that a grader asks under a target; without one, under all that have no judge of their own. */
  of(named: JudgeChoice | null, target?: string): JsonValue;
  /** Targets whose judge is another than that of the rest. */
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

/** What of a target judges: of one that is a model that model and how it is asked, of any other all that answers. */
function lent(keys: JsonObject, { plugins }: Pick<LoadedConfig, 'plugins'>): JsonObject {
  const isModel = plugins.get(String(keys['type']))?.asModel !== undefined;
  return only(keys, (key) => (isModel ? LENT.has(key) : !ASIDE.has(key)));
}

function only(keys: JsonObject, isKept: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(keys).filter(([key]) => isKept(key)));
}

const SCORING_KEYS: ReadonlySet<string> = new Set(['metrics', 'passThreshold', 'scoreGate', 'toolCalls']);

const LENT: ReadonlySet<string> = new Set(['type', 'model', 'baseUrl', 'temperature', 'maxOutputTokens']);

/** What it costs, how long and how often one waits for it, with what key it is asked, and who judges it. */
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

/** With the endpoint of the model, which may stand at its provider: the same name elsewhere is another judge. */
function askedWhere(keys: JsonObject, models: Models): JsonObject {
  const { model, baseUrl } = keys;
  const provider = typeof model === 'string' ? parseModelName(model)?.provider : undefined;
  const endpoint = baseUrl ?? (provider === undefined ? undefined : models[provider]?.baseUrl);
  return typeof endpoint === 'string' ? { ...keys, baseUrl: withoutSecrets(endpoint) } : keys;
}

/** Who asks and with what key says nothing about who answers. */
function withoutSecrets(url: string): string {
  return url.replace(/\/\/[^/?#]*@/, '//').replace(/[?#].*$/s, '');
}
