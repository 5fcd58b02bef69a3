import type { Grade } from '../core/grade.ts';
import type { CostBySpender, Fact, UsageBySpender } from '../core/run.ts';
import { addUsage, type Usage } from '../core/usage.ts';
import { round9 } from '../lib/text/decimals.ts';

/** A fact for each grade that has cost something; a composite's grade holds what its members cost. */
export function judgeUsage(grades: readonly Grade[]): readonly Extract<Fact, { type: 'model-usage' }>[] {
  return grades.flatMap(({ usage, model, costUsd }) =>
    usage === undefined && costUsd === undefined
      ? []
      : [
          {
            type: 'model-usage' as const,
            role: 'judge' as const,
            ...(usage === undefined ? {} : { usage }),
            ...(model === undefined ? {} : { model }),
            costUsd: costUsd ?? null,
          },
        ],
  );
}

/** What judges spent on a trial, for its row; empty when none was asked. */
export function judgeSpending(grades: readonly Grade[]): {
  readonly usage: Pick<UsageBySpender, 'judge'>;
  readonly costUsd: Pick<CostBySpender, 'judge'>;
} {
  let usage: Usage | undefined;
  let costUsd: number | null | undefined;
  for (const spent of judgeUsage(grades)) {
    if (spent.usage !== undefined) usage = addUsage(usage, spent.usage);
    costUsd = spent.costUsd === null || costUsd === null ? null : round9((costUsd ?? 0) + spent.costUsd);
  }
  return {
    usage: usage === undefined ? {} : { judge: usage },
    costUsd: costUsd === undefined ? {} : { judge: costUsd },
  };
}
