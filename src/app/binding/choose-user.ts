import { expand } from '../../authoring/config/expand.ts';
import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import { problemAt } from '../../authoring/config/locate.ts';
import type { ModelChoice } from '../../core/model.ts';
import type { Problem } from '../../core/problem.ts';
import { given } from '../../lib/given.ts';
import type { AddressGuard } from '../../lib/http/address-guard.ts';
import type { AuditMode } from '../../users/simulated.ts';
import { useTargets } from './use-targets.ts';

/** The user of a run. */
export type UserChoice = ScriptedChoice | ModelUser;

/** A script: the same messages in every conversation, after the first message of the case. */
export interface ScriptedChoice {
  readonly type: 'scripted';
  readonly messages: readonly string[];
}

/** A simulated user: a model and its settings. */
export interface ModelUser {
  readonly type: 'simulated';
  readonly choice: ModelChoice;
  readonly temperature: number;
  readonly maxOutputTokens: number;
  readonly audit: AuditMode;
  readonly auditJudge: boolean;
  /** What its requests may connect to; absent: anything. */
  readonly addresses?: AddressGuard;
}

const DEFAULTS = { temperature: 0.7, maxOutputTokens: 1024, audit: 'report', auditJudge: false } as const;

/** The choice of `user` in the config, with its problems. Undefined if there is no user. */
export function chooseUser(loaded: LoadedConfig): {
  readonly user?: UserChoice;
  readonly secretNames: readonly string[];
  readonly problems: readonly Problem[];
} {
  const { value: written, faults } = expand(loaded.config.user, loaded.environment, ['user']);
  const problems = faults.map((fault) => problemAt(loaded.origin, fault));
  if (written === undefined || problems.length > 0) return { secretNames: [], problems };
  if (typeof written === 'string') return userOfTarget(written, {}, loaded);
  if (written.type === 'scripted') return { user: written, secretNames: [], problems };
  const { model, target, type: _, ...settings } = written;
  const supplied: Partial<ModelUser> = given(settings);
  if (target !== undefined) return userOfTarget(target, supplied, loaded);
  // A request can set how a user is played without a model that plays it.
  if (model === undefined) return { secretNames: [], problems };
  return {
    user: { type: 'simulated', choice: { model }, ...DEFAULTS, ...supplied },
    secretNames: [],
    problems,
  };
}

/** Whether `user` of the config names a script, a model or a target. */
export function namesUser({ config: { user } }: Pick<LoadedConfig, 'config'>): boolean {
  if (user === undefined || typeof user === 'string') return user !== undefined;
  return user.type === 'scripted' || user.model !== undefined || user.target !== undefined;
}

/** A target lends its model; anything else cannot answer in the form that a user must. */
function userOfTarget(
  name: string,
  supplied: Partial<ModelUser>,
  loaded: LoadedConfig,
): ReturnType<typeof chooseUser> {
  const { targets, secretNames, problems } = useTargets([name], loaded);
  const used = targets.get(name);
  if (used === undefined) return { secretNames, problems };
  const model = used.plugin.asModel?.(used.settings.config, used.settings);
  if (model === undefined) {
    const message = `the target ${JSON.stringify(name)} has type ${used.settings.type} and cannot simulate a user`;
    const hint = 'use a target of type model or openai-compatible, or write `user: { model: ... }`';
    const fault = { path: ['user'], at: 'value', code: 'user-not-a-model', message, hint } as const;
    return { secretNames, problems: [...problems, problemAt(loaded.origin, fault)] };
  }
  const { temperature = DEFAULTS.temperature, maxOutputTokens = DEFAULTS.maxOutputTokens } = model;
  const { model: named, baseUrl, apiKeyEnv, price } = model;
  const choice = {
    model: named,
    ...given({ baseUrl, apiKeyEnv, price }),
  };
  const user: ModelUser = {
    type: 'simulated',
    choice,
    ...DEFAULTS,
    temperature,
    maxOutputTokens,
    ...supplied,
    ...given({ addresses: used.addresses }),
  };
  return { user, secretNames, problems };
}
