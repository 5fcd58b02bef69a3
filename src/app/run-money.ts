import type { JudgeChoice, JudgeSettings } from '../core/judge.ts';
import { openLedger, type Ledger } from '../core/ledger.ts';
import type { ModelChoice } from '../core/model.ts';
import { AuthoringError, type Problem } from '../core/problem.ts';
import { chooseJudge } from './choose-judge.ts';
import { redactorFor } from './create-run.ts';
import type { PreparedRun } from './prepare-run.ts';
import type { RunOptions } from './run-options.ts';
import type { UsedTarget } from './target-pool.ts';
import { ceilingOf } from './trial-settings.ts';

export type MoneyOptions = Pick<RunOptions, 'maxCostUsd' | 'allowUnknownCost' | 'cassette'>;

/** The ledger of a run that is bounded; undefined where nothing bounds what it costs. */
export function ledgerFor({ maxCostUsd }: MoneyOptions, spentUsd = 0): Ledger | undefined {
  return maxCostUsd === undefined ? undefined : openLedger(maxCostUsd, spentUsd);
}

/** Throws when a bounded run asks somebody of whom nobody knows what it costs; all of them at once. */
export async function refuseUnknownCost(prepared: PreparedRun, options: MoneyOptions): Promise<void> {
  if (!isBound(options)) return;
  const { plan, targets, judges } = prepared;
  const problems = plan.targets.flatMap((name) => ceilingProblems(name, prepared));
  const choices = judgesIn(prepared);
  problems.push(...choices.flatMap((choice) => judgeCeiling(choice, prepared)));
  const models = [
    ...plan.targets.flatMap((name) => modelOf(name, targets.get(name))),
    ...choices.flatMap((choice) =>
      typeof choice === 'string' ? modelOf(choice, judges.targets.get(choice)) : [{ choice, place: '' }],
    ),
  ];
  throwAll([...problems, ...(await priceProblems(models, prepared, options))]);
}

/** The same for judges alone, where no target runs. */
export async function refuseUnknownJudges(
  choices: readonly ModelChoice[],
  models: Pick<ReturnType<PreparedRun['openModels']>, 'priceOf'>,
  options: MoneyOptions,
): Promise<void> {
  if (!isBound(options) || options.cassette?.mode === 'replay') return;
  const asked = choices.map((choice) => ({ choice, place: '' }));
  throwAll(await unpriced(asked, models));
}

interface AskedModel {
  readonly choice: ModelChoice;
  /** Where its price can be written beside `models`, as the beginning of a list. */
  readonly place: string;
}

function isBound({ maxCostUsd, allowUnknownCost }: MoneyOptions): boolean {
  return maxCostUsd !== undefined && allowUnknownCost !== true;
}

function modelOf(name: string, used: UsedTarget | undefined): readonly AskedModel[] {
  const choice = used?.plugin.asModel?.(used.settings.config, used.settings);
  return choice === undefined ? [] : [{ choice, place: `targets.${name}.price, or ` }];
}

/** Every judge that some trial of the plan asks, each once. */
export function judgesIn({ plan, judges }: Pick<PreparedRun, 'plan' | 'judges'>): readonly JudgeChoice[] {
  const choices = new Map<string, string | JudgeSettings>();
  for (const { targets, digests } of plan.cases) {
    for (const named of digests.judges ?? []) {
      for (const target of targets) {
        const choice = chooseJudge(judges.names, named ?? undefined, target);
        if (choice !== undefined) choices.set(JSON.stringify(choice), choice);
      }
    }
  }
  return [...choices.values()];
}

/** A cassette that only replays asks nobody. */
async function priceProblems(
  models: readonly AskedModel[],
  prepared: PreparedRun,
  { cassette }: MoneyOptions,
): Promise<readonly Problem[]> {
  if (cassette?.mode === 'replay' || models.length === 0) return [];
  return await unpriced(models, prepared.openModels(redactorFor(prepared)));
}

async function unpriced(
  models: readonly AskedModel[],
  door: Pick<ReturnType<PreparedRun['openModels']>, 'priceOf'>,
): Promise<readonly Problem[]> {
  const problems = new Map<string, Problem>();
  for (const { choice, place } of models) {
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
function ceilingProblems(name: string, prepared: PreparedRun): readonly Problem[] {
  const used = prepared.targets.get(name);
  if (used === undefined) return [];
  const { plan } = prepared;
  const isOpen = plan.cases.some(({ suite, index, targets, skip }) => {
    const testCase = plan.suites[suite]?.cases.at(index);
    if (testCase === undefined || skip !== undefined || !targets.includes(name)) return false;
    return ceilingOf(used, prepared.settingsFor(testCase, name).limits) === null;
  });
  return isOpen ? [withoutCeiling(name, used)] : [];
}

function judgeCeiling(choice: JudgeChoice, { judges, settings }: PreparedRun): readonly Problem[] {
  const used = typeof choice === 'string' ? judges.targets.get(choice) : undefined;
  if (used === undefined || ceilingOf(used, settings.limits) !== null) return [];
  return [withoutCeiling(used.settings.name, used)];
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
