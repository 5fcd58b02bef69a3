import type { Grade } from '../core/grade.ts';
import type { CostBySpender, UsageBySpender } from '../core/run.ts';
import { addUsage, type Usage } from '../core/usage.ts';
import { given } from '../lib/given.ts';
import { round9 } from '../lib/text/decimals.ts';
import type { ModelUse } from './trial-context.ts';

/** A fact for each grade with a cost. The grade of a composite includes the cost of its members. */
export function judgeUsage(grades: readonly Grade[]): readonly ModelUse[] {
  if (grades.every(({ usage, costUsd }) => usage === undefined && costUsd === undefined)) return [];
  return grades.flatMap(({ usage, model, costUsd }) =>
    usage === undefined && costUsd === undefined
      ? []
      : [
          {
            type: 'model-usage' as const,
            role: 'judge' as const,
            ...given({ usage, model }),
            costUsd: costUsd ?? null,
          },
        ],
  );
}

/** Cost by role for a row. Roles without calls are absent. */
export interface Spending {
  readonly usage: Pick<UsageBySpender, 'user' | 'judge'>;
  readonly costUsd: Pick<CostBySpender, 'user' | 'judge'>;
}

/** The total cost of users and of judges, separately. */
export function spendingOf(uses: readonly ModelUse[]): Spending {
  const usage: { user?: Usage; judge?: Usage } = {};
  const costUsd: { user?: number | null; judge?: number | null } = {};
  for (const { role, usage: used, costUsd: cost } of uses) {
    if (used !== undefined) usage[role] = addUsage(usage[role], used);
    const before = costUsd[role];
    costUsd[role] = cost === null || before === null ? null : round9((before ?? 0) + cost);
  }
  return { usage, costUsd };
}
