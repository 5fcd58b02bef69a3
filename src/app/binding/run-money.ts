import { lentJudge, namesTarget, type JudgeChoice, type LentJudge } from '../../core/judge.ts';
import type { Ledger } from '../../core/price.ts';
import { activeCases } from '../../engine/plan.ts';
import { openLedger } from '../../engine/ledger.ts';
import type { Limits } from '../../core/limits.ts';
import type { ModelChoice, ModelDoor } from '../../core/model.ts';
import { AuthoringError, type Problem } from '../../core/problem.ts';
import { round9 } from '../../lib/text/decimals.ts';
import { judgesIn } from './choose-judge.ts';
import { lentModel } from './lent-model.ts';
import { redactorFor } from './redactor.ts';
import type { BoundRun } from './bind.ts';
import { boundModels } from './bound-models.ts';
import type { RunOptions } from '../../core/run-options.ts';
import type { UsedTarget } from './target-pool.ts';
import { ceilingOf, settingsIn } from './trial-settings.ts';

export type MoneyOptions = Pick<RunOptions, 'maxCostUsd' | 'allowUnknownCost' | 'cassette'>;

/** The ledger of a run with a cost limit. Undefined without a limit. */
export function ledgerFor({ maxCostUsd }: MoneyOptions): Ledger | undefined {
  return maxCostUsd === undefined ? undefined : openLedger(maxCostUsd);
}

/** US dollars that may be billed, including reservations, such as for a judge whose hook timed out. */
export function billableUsd(ledger: Ledger): number {
  return round9(ledger.spentUsd() + ledger.reservedUsd());
}

/** Throws if a run with a cost limit uses models or targets of unknown cost. Reports all of them at once. */
export async function refuseUnknownCost(bound: BoundRun): Promise<void> {
  const { plan, use, judges, user, spec } = bound;
  const { options, settings } = spec;
  if (!isBound(options)) return;
  const choices = judgesIn(plan.cases, judges.names);
  const models = [
    ...plan.targets.flatMap((name) => modelOf(name, use.targets)),
    ...(user?.type === 'simulated' ? [{ choice: user.choice, place: '' }] : []),
    ...[...plan.cases]
      .flatMap(({ digests }) => digests.models ?? [])
      .map((choice) => ({ choice, place: '' })),
  ];
  const door = boundModels(bound, redactorFor(bound.secrets));
  const problems = [
    ...plan.targets.flatMap((name) => ceilingProblems(name, bound)),
    ...(await unpriced(models, door, options)),
    ...(await judgeProblems(
      { choices, targets: judges.use.targets, limits: settings.limits },
      door,
      options,
    )),
  ];
  if (problems.length > 0) throw new AuthoringError(problems);
}

/** All judges, and the cost limit per trial for those that are targets. */
export interface MoneyOfJudges {
  readonly choices: readonly JudgeChoice[];
  readonly targets: ReadonlyMap<string, UsedTarget>;
  readonly limits: Limits;
}

/** The problems of judges of unknown cost, when no target runs. */
export async function unknownCostsOfJudges(
  judging: MoneyOfJudges,
  door: PricedDoor,
  options: MoneyOptions,
): Promise<readonly Problem[]> {
  return isBound(options) ? await judgeProblems(judging, door, options) : [];
}

type PricedDoor = Pick<ModelDoor, 'priceOf'>;

async function judgeProblems(
  { choices, targets, limits }: MoneyOfJudges,
  door: PricedDoor,
  options: MoneyOptions,
): Promise<readonly Problem[]> {
  const open = choices.flatMap((choice) => {
    const used = namesTarget(choice) ? targets.get(lentJudge(choice).target) : undefined;
    return used !== undefined && ceilingOf(used, limits) === null ? [used] : [];
  });
  const models = choices.flatMap((choice) =>
    namesTarget(choice) ? modelOf(choice, targets) : [{ choice, place: '' }],
  );
  return [
    ...open.map((used) => withoutCeiling(used.settings.name, used)),
    ...(await unpriced(models, door, options)),
  ];
}

interface AskedModel {
  readonly choice: ModelChoice;
  /** Another place for its price besides `models`, as the start of a list. */
  readonly place: string;
}

function isBound({ maxCostUsd, allowUnknownCost }: MoneyOptions): boolean {
  return maxCostUsd !== undefined && allowUnknownCost !== true;
}

function modelOf(asked: string | LentJudge, targets: ReadonlyMap<string, UsedTarget>): readonly AskedModel[] {
  const { target, ...how } = lentJudge(asked);
  const used = targets.get(target);
  const choice = used && lentModel(used, how);
  return choice === undefined ? [] : [{ choice, place: `targets.${target}.price, or ` }];
}

/** Problems of models without a price. Empty for a cassette that only replays. */
async function unpriced(
  models: readonly AskedModel[],
  door: PricedDoor,
  { cassette }: MoneyOptions,
): Promise<readonly Problem[]> {
  const problems = new Map<string, Problem>();
  for (const { choice, place } of cassette?.mode === 'replay' ? [] : models) {
    if (problems.has(choice.model) || (await door.priceOf(choice)) !== null) continue;
    const provider = choice.model.split('/')[0] ?? '';
    problems.set(choice.model, {
      ...PLACE,
      code: 'unknown-cost',
      message: `no price is known for ${choice.model}, so --max-cost cannot be enforced`,
      hint: `set ${place}models.${provider}.price to { input, output } in USD per million tokens, or use --allow-unknown-cost`,
    });
  }
  return [...problems.values()];
}

/** A problem if the target has no upper bound for its cost. Checks only one trial, so that it is reported once. */
function ceilingProblems(name: string, bound: BoundRun): readonly Problem[] {
  const { plan, use } = bound;
  const used = use.targets.get(name);
  if (used === undefined) return [];
  const settingsFor = settingsIn(bound);
  for (const { testCase } of activeCases(plan, ({ targets }) => targets.includes(name)))
    if (ceilingOf(used, settingsFor(testCase, name).limits) === null) return [withoutCeiling(name, used)];
  return [];
}

function withoutCeiling(name: string, { settings }: UsedTarget): Problem {
  return {
    ...PLACE,
    code: 'unknown-cost',
    message: `the target "${name}" (${settings.type}) reports its cost only at the end and has no cost limit`,
    hint: 'set `run.limits.maxCostUsd` (US dollars per trial), or `run.limits.maxTokens` and `price` of the target; for a free target, set `price: { input: 0, output: 0 }`; or use --allow-unknown-cost',
  };
}

const PLACE = { file: '--max-cost', path: ['budget_usd'] } as const;
