import type { Row } from '../core/run.ts';
import { addUsage, type Cost, type Spender, type Usage } from '../core/usage.ts';
import { given } from '../lib/given.ts';
import { round9 } from '../lib/text/decimals.ts';
import { highest } from './highest.ts';
import { rowCosts } from './phrases.ts';
import { wholeCost } from './whole-cost.ts';

/** Money by role; `whole`: a trial counts as unknown as soon as a part of it is. */
export interface Spent {
  readonly trials: number;
  readonly whole: Cost;
  readonly roles: Readonly<Record<Spender, Cost>>;
  readonly usage: Readonly<Partial<Record<Spender, Usage>>>;
}

export interface CaseSpent {
  readonly suite: string;
  readonly caseId: string;
  /** Of a stored case. */
  readonly caseName?: string;
  readonly trials: number;
  readonly cost: Cost;
  /** Duration of all its trials, in milliseconds. */
  readonly durationMs: number;
}

/** The cost of a run by role, case and trial. */
export interface Spending {
  readonly total: Spent;
  readonly targets: readonly (Spent & { readonly target: string })[];
  /** The most expensive ones first. */
  readonly cases: readonly CaseSpent[];
  readonly caseCount: number;
  /** Trials of known cost, the most expensive first. */
  readonly dearest: readonly Row[];
  /** Measured trials, the slowest first. */
  readonly slowest: readonly Row[];
}

export interface SpendingCollector {
  add(row: Row): void;
  spending(): Spending;
}

const MOST_CASES = 100;
const MOST_TRIALS = 20;

export function collectSpending(): SpendingCollector {
  const total = opened();
  const targets = new Map<string, Open>();
  const cases = new Map<string, OpenCase>();
  const dearest = highest<Row>(MOST_TRIALS);
  const slowest = highest<Row>(MOST_TRIALS);
  return {
    add(row) {
      const { target, suite, caseId, caseName, verdict, durationMs } = row;
      const cost = wholeCost(rowCosts(row));
      const own = targets.get(target) ?? opened();
      targets.set(target, own);
      for (const spent of [total, own]) count(spent, row, cost);
      const key = JSON.stringify([suite, caseId]);
      const ofCase = cases.get(key) ?? {
        suite,
        caseId,
        ...given({ caseName }),
        trials: 0,
        cost: NOTHING,
        durationMs: 0,
      };
      cases.set(key, ofCase);
      ofCase.trials += 1;
      ofCase.durationMs += durationMs;
      ofCase.cost = sum(ofCase.cost, cost);
      if (cost.known > 0 && cost.knownUsd > 0) dearest.add(row, cost.knownUsd);
      if (verdict === 'passed' || verdict === 'failed') slowest.add(row, durationMs);
    },
    spending: () => {
      const dear = highest<CaseSpent>(MOST_CASES);
      for (const each of cases.values()) dear.add(each, each.cost.knownUsd);
      return {
        total,
        targets: [...targets].map(([target, spent]) => ({ target, ...spent })),
        cases: dear.list(),
        caseCount: cases.size,
        dearest: dearest.list(),
        slowest: slowest.list(),
      };
    },
  };
}

type Open = { -readonly [Key in keyof Spent]: Spent[Key] };
type OpenCase = { -readonly [Key in keyof CaseSpent]: CaseSpent[Key] };

const NOTHING: Cost = { knownUsd: 0, known: 0, unknown: 0 };

function opened(): Open {
  return { trials: 0, whole: NOTHING, roles: { agent: NOTHING, user: NOTHING, judge: NOTHING }, usage: {} };
}

function count(spent: Open, row: Row, cost: Cost): void {
  const costs = rowCosts(row);
  spent.trials += 1;
  spent.whole = sum(spent.whole, cost);
  spent.roles = {
    agent: sum(spent.roles.agent, costs.agent),
    user: sum(spent.roles.user, costs.user),
    judge: sum(spent.roles.judge, costs.judge),
  };
  for (const [role, usage] of Object.entries(row.usage) as [Spender, Usage][]) {
    spent.usage = { ...spent.usage, [role]: addUsage(spent.usage[role], usage) };
  }
}

function sum(left: Cost, right: Cost): Cost {
  return {
    knownUsd: round9(left.knownUsd + right.knownUsd),
    known: left.known + right.known,
    unknown: left.unknown + right.unknown,
  };
}
