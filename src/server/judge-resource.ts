import type { Judges } from '../api/resources/judge.ts';
import type { JudgeAgreement } from '../reading/judge-agreement.ts';

/** A judge of a run as a resource of the API. */
export function judgeResource({ rate, ...rest }: JudgeAgreement): Judges['data'][number] {
  const { expectation, models, state, says, calibration } = rest;
  const { hits, trials, undecided } = rate;
  return { expectation, models, passed: hits, decided: trials, undecided, state, says, calibration };
}
