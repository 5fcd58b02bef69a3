import { lentJudge, namesTarget, type JudgeChoice, type LentJudge } from '../../core/judge.ts';
import type { Ledger } from '../../core/price.ts';
import { openLedger } from '../../engine/ledger.ts';
import type { Limits } from '../../core/limits.ts';
import type { ModelChoice, ModelDoor } from '../../core/model.ts';
import { AuthoringError, type Problem } from '../../core/problem.ts';
import type { PlannedCase } from '../../engine/plan.ts';
import { round9 } from '../../lib/text/decimals.ts';
import { chooseJudge, type JudgeNames } from './choose-judge.ts';
import { lentModel } from './lent-model.ts';
import { redactorFor } from './redactor.ts';
import type { BoundRun } from './bind.ts';
import { boundModels } from './bound-models.ts';
import type { RunOptions } from '../../core/run-options.ts';
import type { UsedTarget } from './target-pool.ts';
import { ceilingOf, settingsIn } from './trial-settings.ts';

export type MoneyOptions = Pick<RunOptions, 'maxCostUsd' | 'allowUnknownCost' | 'cassette'>;

/** The ledger of a run that is bounded; undefined where nothing bounds what it costs. */
export function ledgerFor({ maxCostUsd }: MoneyOptions, spentUsd = 0): Ledger | undefined {
  return maxCostUsd === undefined ? undefined : openLedger(maxCostUsd, spentUsd);
}

/** USD that may be billed: with what is set aside still, such as for a judge whose hook had no more time to wait for it. */
export function billableUsd(ledger: Ledger): number {
  return round9(ledger.spentUsd() + ledger.reservedUsd());
}

/** Throws when a bounded run asks somebody of whom nobody knows what it costs; all of them at once. */
export async function refuseUnknownCost(bound: BoundRun): Promise<void> {
  const { plan, use, judges, user, spec } = bound;
  const { options, settings } = spec;
  if (!isBound(options)) return;
  const choices = judgesIn(plan.cases, judges.names);
  const models = [
    ...plan.targets.flatMap((name) => modelOf(name, use.targets)),
    ...(user?.type === 'simulated' ? [{ choice: user.choice, place: '' }] : []),
  ];
  const door = boundModels(bound, redactorFor(bound.secrets));
  throwAll([
    ...plan.targets.flatMap((name) => ceilingProblems(name, bound)),
    ...(await unpriced(models, door, options)),
    ...(await judgeProblems(
      { choices, targets: judges.use.targets, limits: settings.limits },
      door,
      options,
    )),
  ]);
}

/** Everybody that judges, and what a trial may cost where they are targets. */
export interface MoneyOfJudges {
  readonly choices: readonly JudgeChoice[];
  readonly targets: ReadonlyMap<string, UsedTarget>;
  readonly limits: Limits;
}

/** The same for judges alone, where no target runs. */
export async function refuseUnknownJudges(
  judging: MoneyOfJudges,
  door: PricedDoor,
  options: MoneyOptions,
): Promise<void> {
  if (isBound(options)) throwAll(await judgeProblems(judging, door, options));
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

/** Every judge that some case is judged by, each once. */
export function judgesIn(
  cases: readonly Pick<PlannedCase, 'targets' | 'digests'>[],
  names: JudgeNames,
): readonly JudgeChoice[] {
  const choices = new Map<string, JudgeChoice>();
  for (const { targets, digests } of cases) {
    for (const named of digests.judges ?? []) {
      for (const target of targets) {
        const choice = chooseJudge(names, named ?? undefined, target);
        if (choice !== undefined) choices.set(JSON.stringify(choice), choice);
      }
    }
  }
  return [...choices.values()];
}

interface AskedModel {
  readonly choice: ModelChoice;
  /** Where its price can be written beside `models`, as the beginning of a list. */
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

/** A cassette that only replays asks nobody. */
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
      file: FLAG,
      code: 'unknown-cost',
      message: `nobody knows what ${choice.model} costs, so that nothing could bound it`,
      hint: `write price: { input, output } (USD per million tokens) into ${place}models.${provider}.price of the config; or start with --allow-unknown-cost`,
    });
  }
  return [...problems.values()];
}

/** One trial of the target is enough: what nobody declared for it is named once. */
function ceilingProblems(name: string, bound: BoundRun): readonly Problem[] {
  const { plan, use } = bound;
  const used = use.targets.get(name);
  if (used === undefined) return [];
  const settingsFor = settingsIn(bound);
  const isOpen = plan.cases.some(({ suite, index, targets, skip }) => {
    const testCase = plan.suites[suite]?.cases.at(index);
    if (testCase === undefined || skip !== undefined || !targets.includes(name)) return false;
    return ceilingOf(used, settingsFor(testCase, name).limits) === null;
  });
  return isOpen ? [withoutCeiling(name, used)] : [];
}

function withoutCeiling(name: string, { settings }: UsedTarget): Problem {
  return {
    file: FLAG,
    code: 'unknown-cost',
    message: `the target "${name}" (${settings.type}) says what it spent when it is done, and nothing says what that can be at most`,
    hint: 'declare it: limits.maxCostUsd (USD of one trial) in `run` of the config, or maxTokens there and `price` of the target; price { input: 0, output: 0 } where it costs nothing; or start with --allow-unknown-cost',
  };
}

const FLAG = '--max-cost';

function throwAll(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new AuthoringError(problems);
}
