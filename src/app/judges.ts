import { AssayError } from '../core/errors.ts';
import { JUDGE_DEFAULTS, type Judge, type JudgeChoice, type JudgeSettings } from '../core/judge.ts';
import type { ModelDoor } from '../core/model.ts';
import type { GraderServices } from '../core/plugin.ts';
import type { Target } from '../core/target.ts';
import { jsonObjects } from '../models/json-objects.ts';
import { chooseJudge, type JudgeNames } from './choose-judge.ts';
import type { UsedTarget } from './target-pool.ts';
import { targetJudge } from './target-judge.ts';

export interface JudgesInput {
  readonly names: JudgeNames;
  readonly models: ModelDoor;
  /** Targets that judge. */
  readonly targets: ReadonlyMap<string, UsedTarget>;
  readonly prepared: (name: string, signal: AbortSignal) => Promise<Target>;
}

/** Finds the judge of a grader; each is made once. */
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
  if (typeof choice !== 'string') return modelJudge(choice.model, choice, input.models);
  const used = input.targets.get(choice);
  if (used === undefined) throw new Error(`the judge "${choice}" is no target of this run`);
  const model = used.plugin.asModel?.(used.settings.config, used.settings);
  return model === undefined
    ? targetJudge(choice, (signal) => input.prepared(choice, signal))
    : modelJudge(choice, model, input.models);
}

function modelJudge(name: string, settings: JudgeSettings, models: ModelDoor): Judge {
  const { maxInputChars, samples, temperature, maxOutputTokens, timeoutMs } = {
    ...JUDGE_DEFAULTS,
    ...settings,
  };
  const { model, baseUrl, apiKeyEnv, price } = settings;
  const choice = {
    model,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }),
    ...(price === undefined ? {} : { price }),
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
      const answer = await models.ask(asked, signal);
      // Beside tools no schema is sent, and the answer is wanted all the same.
      return request.schema === undefined ? { ...answer, objects: jsonObjects(answer.text) } : answer;
    },
  };
}

function noJudge(target: string): AssayError {
  return new AssayError('no-judge', `no judge is configured for the target "${target}"`, {
    stage: 'grading',
    hint: 'add `judge` to the config, to the target, or to the evaluator',
  });
}
