import type { ModelAnswer } from '../../core/model.ts';
import { addUsage, type Usage } from '../../core/usage.ts';
import { given } from '../../lib/given.ts';
import { round9 } from '../../lib/text/decimals.ts';

/** The cost of asking so far. */
export interface Spent {
  /** The model name as the provider reports it; from the last answer. */
  readonly model?: string;
  readonly usage?: Usage;
  /** Cost in USD; null when a part is unknown, absent when nothing was asked. */
  readonly costUsd?: number | null;
  /** Number of answers that were read. */
  readonly answers: number;
}

export const nothingSpent: Spent = { answers: 0 };

export function withAnswer(spent: Spent, { model, usage, costUsd }: ModelAnswer): Spent {
  return together(spent, { model, costUsd, answers: 1, ...given({ usage }) });
}

/** A request without an answer that may have cost something. */
export function withUnknown(spent: Spent): Spent {
  return together(spent, { costUsd: null, answers: 0 });
}

export function together(left: Spent, right: Spent): Spent {
  const model = right.model ?? left.model;
  const usage = right.usage === undefined ? left.usage : addUsage(left.usage, right.usage);
  const costUsd = sum(left.costUsd, right.costUsd);
  return {
    ...given({ model, usage, costUsd }),
    answers: left.answers + right.answers,
  };
}

function sum(left: Spent['costUsd'], right: Spent['costUsd']): Spent['costUsd'] {
  if (left === undefined || right === undefined) return left ?? right;
  return left === null || right === null ? null : round9(left + right);
}
