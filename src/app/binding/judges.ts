import { AssayError } from '../../core/errors.ts';
import {
  JUDGE_DEFAULTS,
  lentJudge,
  namesTarget,
  type Judge,
  type JudgeChoice,
  type JudgeSettings,
} from '../../core/judge.ts';
import type { Ledger } from '../../core/price.ts';
import type { Limits } from '../../core/limits.ts';
import type { ModelDoor } from '../../core/model.ts';
import type { GraderServices } from '../../core/plugin.ts';
import type { Target } from '../../core/target.ts';
import { chooseJudge, type JudgeNames } from './choose-judge.ts';
import { askedWithin } from './asked-within.ts';
import { lentModel } from './lent-model.ts';
import type { UsedTarget } from './target-pool.ts';
import { targetJudge } from './target-judge.ts';
import { ceilingOf } from './trial-settings.ts';
import { given } from '../../lib/given.ts';

export interface JudgesInput {
  readonly names: JudgeNames;
  readonly models: ModelDoor;
  /** The targets that judge. */
  readonly targets: ReadonlyMap<string, UsedTarget>;
  readonly prepared: (name: string, signal: AbortSignal) => Promise<Target>;
  /** The budget of judges that are targets. Model calls are counted elsewhere. */
  readonly purse?: { readonly ledger: Ledger | undefined; readonly limits: Limits };
}

/** Finds the judge of a grader. Each judge is created once. */
export function judgeFinder(input: JudgesInput): GraderServices['judgeFor'] {
  const made = new Map<string, Judge>();
  return (named, target) => {
    const choice = chooseJudge(input.names, named, target);
    if (choice === undefined) throw noJudge(target);
    const key = JSON.stringify(choice);
    const judge = made.get(key) ?? makeJudge(choice, input);
    made.set(key, judge);
    return judge;
  };
}

function makeJudge(choice: JudgeChoice, input: JudgesInput): Judge {
  if (!namesTarget(choice)) return modelJudge(choice.model, choice, input.models);
  const { target: name, ...how } = lentJudge(choice);
  const used = input.targets.get(name);
  if (used === undefined) throw new Error(`the judge "${name}" is not a target of this run`);
  const model = lentModel(used, how);
  if (model !== undefined) return modelJudge(name, model, askedWithin(input.models, used.addresses));
  return paidFrom(
    targetJudge({
      name,
      timeoutMs: how.timeoutMs ?? used.settings.timeoutMs,
      maxInputChars: how.maxInputChars,
      samples: how.samples,
      price: used.settings.price,
      isFree: used.plugin.isFree,
      prepared: (signal) => input.prepared(name, signal),
    }),
    used,
    input.purse,
  );
}

/** Reserves the highest cost of the target while it judges. */
function paidFrom(judge: Judge, used: UsedTarget, purse: JudgesInput['purse']): Judge {
  const ceiling = purse === undefined ? undefined : ceilingOf(used, purse.limits);
  const ledger = purse?.ledger;
  if (ledger === undefined || ceiling === undefined) return judge;
  const worst = { usd: ceiling ?? 0, what: `one answer of the judge "${judge.name}"` };
  return {
    ...judge,
    ask: async (request, signal) => {
      const reserved = await ledger.reserve(worst, signal);
      try {
        const answer = await judge.ask(request, signal);
        reserved.settle(answer.costUsd);
        return answer;
      } finally {
        reserved.settle(null);
      }
    },
  };
}

function modelJudge(name: string, settings: JudgeSettings, models: ModelDoor): Judge {
  const { maxInputChars, samples, temperature, maxOutputTokens, timeoutMs } = {
    ...JUDGE_DEFAULTS,
    ...settings,
  };
  const { model, baseUrl, apiKeyEnv, price } = settings;
  const choice = {
    model,
    ...given({ baseUrl, apiKeyEnv, price }),
  };
  return {
    name,
    maxInputChars,
    samples,
    takesTools: true,
    ask: async (request, signal) => {
      const asked = {
        ...choice,
        ...request,
        role: 'judge' as const,
        temperature,
        maxOutputTokens,
        timeoutMs,
      };
      return await models.ask(asked, signal);
    },
  };
}

function noJudge(target: string): AssayError {
  return new AssayError('no-judge', `no judge is configured for the target "${target}"`, {
    stage: 'grading',
    hint: 'add `judge` to the config, the target or the evaluator',
  });
}
