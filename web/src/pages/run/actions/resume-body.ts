import { numberOf } from '../../../parts/number-of.ts';

/** What is asked for in the form. */
export interface AskedResume {
  readonly errored: boolean;
  readonly cancelled: boolean;
  readonly budget: string;
  readonly concurrency: string;
  readonly unknownCost: boolean;
  readonly acceptChanges: boolean;
}

export const NOTHING_TO_RESUME: AskedResume = {
  errored: false,
  cancelled: false,
  budget: '',
  concurrency: '',
  unknownCost: false,
  acceptChanges: false,
};

/** The body of `POST /runs/{run}/resume`. */
export function resumeBodyOf(asked: AskedResume): Readonly<Record<string, unknown>> {
  const { errored, cancelled, budget, concurrency, unknownCost, acceptChanges } = asked;
  const retry = [...(errored ? ['errored'] : []), ...(cancelled ? ['cancelled'] : [])];
  return {
    ...(retry.length === 0 ? {} : { retry }),
    ...(budget.trim() === '' ? {} : { budget_usd: numberOf(budget) }),
    ...(concurrency.trim() === '' ? {} : { concurrency: numberOf(concurrency) }),
    ...(unknownCost ? { allow_unknown_cost: true } : {}),
    ...(acceptChanges ? { accept_changes: true } : {}),
  };
}
