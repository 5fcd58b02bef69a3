import type { RunCost } from '../api/resources/cost.ts';
import type { Distributions } from '../api/resources/distributions.ts';
import { keptByVersion } from '../app/view/kept-by-version.ts';
import type { RunSummaries } from '../app/view/run-summaries.ts';
import { AssayError } from '../core/errors.ts';
import type { StoredRun } from '../core/run-store.ts';
import type { Row } from '../core/run.ts';
import type { Cost } from '../core/usage.ts';
import { collectDistributions, type Measure } from '../reading/distributions.ts';
import { rowCosts, SPENDER_WORDS } from '../reading/phrases.ts';
import { collectSpending, type Spent } from '../reading/spending.ts';
import { usdOf, wholeCost } from '../reading/whole-cost.ts';
import type { Handlers } from './operation.ts';
import { trialResource } from './trial-resource.ts';

/** Number of cached runs. A run of 10,000 trials needs about 1 MB. */
const MOST_RUNS = 8;

/** The cost and the distributions of a run. */
export function figureHandlers(runs: RunSummaries): Pick<Handlers, 'getRunCost' | 'getRunDistributions'> {
  const figuresOf = keptByVersion(MOST_RUNS, readFigures);
  return {
    getRunCost: async ({ path }) => {
      const { spending } = await figuresOf(await runs.run(path.run));
      const { total, targets, cases, caseCount, dearest, slowest } = spending;
      return {
        total: spentResource(total),
        targets: targets.map(({ target, ...spent }) => ({ target, ...spentResource(spent) })),
        cases: cases.map(({ suite, caseId, caseName, trials, cost, durationMs }) => ({
          suite,
          case_id: caseId,
          case_name: caseName ?? null,
          trials,
          ...moneyOf(cost),
          duration_ms: durationMs,
        })),
        case_count: caseCount,
        dearest: dearest.map(spenderOf),
        slowest: slowest.map(spenderOf),
      };
    },
    getRunDistributions: async ({ path, query }): Promise<Distributions> => {
      const run = await runs.run(path.run);
      if (query.target !== undefined) await refuseUnknownTarget(run, query.target);
      const { distributions } = await figuresOf(run);
      const data = distributions.distributions(query.target);
      return { data: data.map((each) => ({ ...each, unit: UNITS[each.measure] })) };
    },
  };
}

async function readFigures(run: StoredRun) {
  const spending = collectSpending();
  const distributions = collectDistributions();
  for await (const row of run.rows()) {
    spending.add(row);
    distributions.add(row);
  }
  return { spending: spending.spending(), distributions };
}

const UNITS: Readonly<Record<Measure, 'fraction' | 'ms' | 'usd' | 'tokens'>> = {
  score: 'fraction',
  duration: 'ms',
  latency: 'ms',
  cost: 'usd',
  tokens: 'tokens',
};

async function refuseUnknownTarget(run: StoredRun, target: string): Promise<void> {
  const names = (await run.head()).targets.map(({ name }) => name);
  if (names.includes(target)) return;
  throw new AssayError('unknown-target', `${run.name} has no target "${target}"`, {
    stage: 'plan',
    hint: `it has ${names.join(', ')}`,
  });
}

function spentResource({ trials, whole, roles, usage }: Spent): RunCost['total'] {
  const spenders = SPENDER_WORDS.map(([role]) => ({ role, cost: roles[role], tokens: usage[role] }));
  return {
    trials,
    ...moneyOf(whole),
    roles: spenders
      .filter(({ cost, tokens }) => cost.known + cost.unknown > 0 || tokens !== undefined)
      .map(({ role, cost, tokens }) => ({
        role,
        ...moneyOf(cost),
        input_tokens: tokens?.inputTokens ?? null,
        cache_read_tokens: tokens?.cacheReadTokens ?? null,
        cache_write_tokens: tokens?.cacheWriteTokens ?? null,
        output_tokens: tokens?.outputTokens ?? null,
        reasoning_tokens: tokens?.reasoningTokens ?? null,
        total_tokens: tokens?.totalTokens ?? null,
      })),
  };
}

function moneyOf(cost: Cost) {
  const { knownUsd, known, unknown } = cost;
  return { cost_usd: usdOf(cost), known_usd: knownUsd, known_trials: known, unknown_trials: unknown };
}

function spenderOf(row: Row): RunCost['dearest'][number] {
  const { number, key, suite, case_id, case_name, target, repetition, status, score, duration_ms } =
    trialResource(row);
  const money = moneyOf(wholeCost(rowCosts(row)));
  return { number, key, suite, case_id, case_name, target, repetition, status, score, ...money, duration_ms };
}
