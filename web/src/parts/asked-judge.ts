import { numberOf } from './number-of.ts';

/** The judge as a form asks for it; empty texts leave it to the config. */
export interface AskedJudge {
  /** Name of a target of the config. */
  readonly target: string;
  /** Such as `openai/gpt-4o`; counts without a target. */
  readonly model: string;
  readonly passScore: string;
}

export const CONFIGURED_JUDGE: AskedJudge = { target: '', model: '', passScore: '' };

/** As `judge` of a request; undefined: that of the config. */
export function judgeOf({ target, model, passScore }: AskedJudge): object | undefined {
  const judge = {
    ...(target === '' ? (model.trim() === '' ? {} : { model: model.trim() }) : { target }),
    ...(passScore.trim() === '' ? {} : { pass_threshold: numberOf(passScore) }),
  };
  return Object.keys(judge).length === 0 ? undefined : judge;
}
