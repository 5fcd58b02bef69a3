import type { ModelAnswer, ModelChoice, ModelRequest } from './model.ts';

/** The language model that model graders ask, through any kind of connection. */
export interface Judge {
  /** The name that people use: `provider/name` of a model, or the name of a target. */
  readonly name: string;
  /** Longest material that it is given, in characters. */
  readonly maxInputChars: number;
  /** How often it is asked when a grader does not set `samples`. */
  readonly samples: number;
  /** Whether it accepts tools. */
  readonly takesTools: boolean;
  /** Gives one answer. Rejects with a `MeasurementError`, or with the reason of the signal. */
  ask(request: JudgeRequest, signal: AbortSignal): Promise<ModelAnswer>;
}

export type JudgeRequest = Pick<
  ModelRequest,
  'messages' | 'tools' | 'schema' | 'repetition' | 'sample' | 'isUsable'
>;

/** A judge as people name it: a target, or a model with its settings. */
export type JudgeChoice = string | JudgeSettings | LentJudge;

/** A target that judges, with settings over its own. */
export interface LentJudge extends AskedHow {
  /** Its name. */
  readonly target: string;
}

export interface JudgeSettings extends ModelChoice, AskedHow {}

/** How any judge is asked, a model or another target. */
interface AskedHow {
  /** Default 0. */
  readonly temperature?: number;
  /** Default 4096. */
  readonly maxOutputTokens?: number;
  /** Longest material in characters; default 400,000. */
  readonly maxInputChars?: number;
  /** Time limit of one answer in milliseconds; default 120,000. */
  readonly timeoutMs?: number;
  /** Default 1. */
  readonly samples?: number;
}

/** Whether a target judges, rather than a model that is named directly. */
export function namesTarget(choice: JudgeChoice): choice is string | LentJudge {
  return typeof choice === 'string' || 'target' in choice;
}

/** The target of a choice, and the settings over its own. */
export function lentJudge(choice: string | LentJudge): LentJudge {
  return typeof choice === 'string' ? { target: choice } : choice;
}

/** The settings of a judge when none are given. */
export const JUDGE_DEFAULTS = {
  temperature: 0,
  maxOutputTokens: 4096,
  maxInputChars: 400_000,
  timeoutMs: 120_000,
  samples: 1,
} as const;
