import type {
  CaseComparison,
  CompareOptions,
  ComparisonVerdict,
  RunComparison,
  TargetComparison,
} from '../../core/run-comparison.ts';
import { collectCases, emptyTable, type CaseTable } from '../../analysis/case-table.ts';
import { compareAll } from '../../analysis/compare-cases.ts';
import type { Side } from '../../analysis/invalid-reasons.ts';
import { comparisonSentence } from '../../analysis/comparison-sentence.ts';
import { graderDifferences, type GradedCase } from '../../analysis/grader-differences.ts';
import { numbering, type Numbering } from '../../analysis/numbering.ts';
import { targetDifferences } from '../../analysis/target-differences.ts';
import { AssayError } from '../../core/errors.ts';
import { leavesOutcomes, UNJUDGED } from '../../reading/outcomes.ts';
import { scaleOfRun } from '../../reading/phrases.ts';
import { given } from '../../lib/given.ts';
import { caseNames } from './case-names.ts';
import { chosenFrom, trialsFrom } from './chosen-from.ts';
import { newlyFallenGates } from './newly-fallen-gates.ts';
import type { Manifest } from '../../core/manifest.ts';
import { nearest } from '../../lib/text/suggest.ts';
import type { RunReference, RunStore } from '../../core/run-store.ts';
import { printComparison } from '../../sinks/terminal/comparison.ts';
import type { Screen } from '../../core/log.ts';

export interface CompareSettings {
  readonly options: CompareOptions;
  /** Number of errored trials tolerated per side. Absent: the limit of each run. */
  readonly maxErrored?: number;
}

/** A stored run, and the target to compare. */
export interface ComparedRun extends RunReference {
  readonly manifest: Manifest;
  /** Ids of the runs whose trials it contains, its own first. */
  readonly trialsFrom: readonly string[];
}

/** Finds a run to compare. Throws `unknown-target` if the run does not have the target. */
export async function comparedRun(reference: string, runs: Pick<RunStore, 'find'>): Promise<ComparedRun> {
  const found = await runs.find(reference);
  const manifest = await found.run.manifest();
  const compared = { ...found, manifest, trialsFrom: await trialsFrom(manifest, runs) };
  refuseUnknownTarget(compared);
  return compared;
}

/** Prints the comparison. Quiet: only the sentence. */
export function showComparison(
  comparison: RunComparison,
  screen: Screen,
  verbosity: 'quiet' | 'normal' | 'verbose',
): void {
  if (verbosity === 'quiet') screen.write(`${comparison.sentence}\n`);
  else printComparison(screen, comparison, verbosity === 'verbose' ? 'all' : 'short');
}

/** Compares two runs that were found, target by target. */
export async function compareStored(
  base: ComparedRun,
  candidate: ComparedRun,
  { options, maxErrored }: CompareSettings,
): Promise<RunComparison> {
  const targets = pairTargets(targetsOf(base), targetsOf(candidate));
  const numbers = numbering();
  const before = await tablesOf(base, numbers);
  const same = base.run.reference === candidate.run.reference;
  const after = same ? before : await tablesOf(candidate, numbers);
  const { on, comparisons: measured } = compareAll(
    targets.pairs.map(([left, right]) => ({
      base: sideOf({ ...base, target: left, table: before.get(left), maxErrored }),
      candidate: sideOf({ ...candidate, target: right, table: after.get(right), maxErrored }),
    })),
    options,
  );
  const several = {
    margin: options.margin,
    targets: measured.filter(({ result }) => result !== null).length,
  };
  const unjudged = unjudgedText(base.manifest, candidate.manifest);
  const compared = targets.pairs.map(async ([left, right], i): Promise<TargetComparison> => {
    const comparison = measured[i] as CaseComparison;
    const sides = { base: { ...base, target: left }, candidate: { ...candidate, target: right } };
    const graders = await regraded(comparison, sides);
    const newlyFallen = await newlyFallenGates(
      on === 'score' ? comparison.passedLess : comparison.worse,
      sides,
    );
    const itself = same && left === right ? '; both sides are the same run, so nothing can differ' : '';
    const sentence = `${comparisonSentence(comparison, { ...several, fallen: newlyFallen })}${itself}${unjudged}`;
    const isRefused = comparison.reasons.some(({ code }) => code === 'digests') && graders.length > 0;
    return {
      sentence: isRefused ? `${sentence}; differences in its graders: ${graders.join('; ')}` : sentence,
      ...(graders.length === 0 ? {} : { graders }),
      newlyFallen,
      targets: { base: left, candidate: right },
      differs: targetDifferences(
        { manifest: base.manifest, target: left },
        { manifest: candidate.manifest, target: right },
      ),
      ...comparison,
    };
  });
  const comparisons = await Promise.all(compared);
  const names = await caseNames(comparisons, [candidate.run, base.run]);
  const gravest = gravestOf(comparisons);
  return {
    verdict: gravest,
    sentence: sentenceOf(comparisons, gravest, unjudged),
    base: base.manifest.id,
    candidate: candidate.manifest.id,
    options: { ...options, on },
    comparisons,
    ...(scaleOfRun(candidate.manifest) === 'percent' ? { scoredIn: 'percent' as const } : {}),
    ...given({ caseNames: names }),
    unpaired: targets.unpaired,
  };
}

const GRAVITY: readonly ComparisonVerdict[] = [
  'regressed',
  'invalid',
  'inconclusive',
  'improved',
  'equivalent',
];

/** The most serious verdict. */
export function gravestOf(comparisons: readonly Pick<CaseComparison, 'verdict'>[]): ComparisonVerdict {
  return GRAVITY.find((verdict) => comparisons.some((each) => each.verdict === verdict)) ?? 'invalid';
}

/** Ends the sentence of a comparison of runs that both leave out expected outcomes. */
export function unjudgedText(...manifests: readonly Pick<Manifest, 'settings'>[]): string {
  return manifests.every(leavesOutcomes) ? `; ${UNJUDGED}` : '';
}

function sentenceOf(
  comparisons: readonly TargetComparison[],
  gravest: ComparisonVerdict,
  unjudged: string,
): string {
  const [only] = comparisons;
  if (only === undefined) {
    return 'invalid: no target has the same name on both sides (name one per side: assay compare RUN#TARGET RUN#TARGET)';
  }
  if (comparisons.length === 1) return only.sentence;
  const verdicts = GRAVITY.flatMap((verdict) => {
    const names = comparisons
      .filter((each) => each.verdict === verdict)
      .map(({ targets }) => targets.candidate);
    return names.length === 0 ? [] : [`${verdict} ${names.join(', ')}`];
  });
  return `${gravest}: of ${comparisons.length} targets, ${verdicts.join('; ')}${unjudged}`;
}

function targetsOf({ target, manifest }: ComparedRun): readonly string[] {
  return target === undefined ? manifest.targets.map(({ name }) => name) : [target];
}

/** Throws if `RUN#TARGET` names a target that the run does not have. */
function refuseUnknownTarget({ target, manifest }: ComparedRun): void {
  const names = manifest.targets.map(({ name }) => name);
  if (target === undefined || names.includes(target)) return;
  const near = nearest(target, names);
  throw new AssayError('unknown-target', `${manifest.id} has no target "${target}"`, {
    stage: 'plan',
    hint: near === undefined ? `it has ${names.join(', ')}` : `did you mean ${manifest.id}#${near}?`,
  });
}

/** One target per side always matches. Several are paired by name. */
function pairTargets(base: readonly string[], candidate: readonly string[]) {
  const [left, right] = [base[0], candidate[0]];
  if (base.length === 1 && candidate.length === 1 && left !== undefined && right !== undefined) {
    return { pairs: [[left, right] as const], unpaired: { base: [], candidate: [] } };
  }
  return {
    pairs: base.filter((name) => candidate.includes(name)).map((name) => [name, name] as const),
    unpaired: {
      base: base.filter((name) => !candidate.includes(name)),
      candidate: candidate.filter((name) => !base.includes(name)),
    },
  };
}

async function tablesOf(
  { run, manifest }: ComparedRun,
  numbers: Numbering,
): Promise<ReadonlyMap<string, CaseTable>> {
  const collector = collectCases(manifest.digests, numbers);
  for await (const rows of run.outcomes()) for (const row of rows) collector.add(row);
  return collector.tables();
}

/** Differences between the graders of the first case that is graded differently. */
async function regraded(
  { changed }: Pick<CaseComparison, 'changed'>,
  sides: Readonly<Record<'base' | 'candidate', ComparedRun & { readonly target: string }>>,
): Promise<readonly string[]> {
  const first = changed.find(({ what }) =>
    what.some((change) => change !== 'case' && change !== 'threshold'),
  );
  if (first === undefined) return [];
  const [base, candidate] = [await gradedCase(sides.base, first), await gradedCase(sides.candidate, first)];
  return base === undefined || candidate === undefined ? [] : graderDifferences(base, candidate);
}

async function gradedCase(
  { run, manifest, target }: ComparedRun & { readonly target: string },
  { suite, caseId }: { readonly suite: string; readonly caseId: string },
): Promise<GradedCase | undefined> {
  for await (const row of run.rowsOfCases(new Set([caseId]))) {
    const isIt = row.suite === suite && row.caseId === caseId && row.target === target;
    if (isIt && (row.verdict === 'passed' || row.verdict === 'failed')) {
      return { grades: row.grades, digests: manifest.digests };
    }
  }
  return undefined;
}

interface SideSource extends ComparedRun {
  readonly target: string;
  readonly table: CaseTable | undefined;
  readonly maxErrored: number | undefined;
}

function sideOf({ manifest, trialsFrom: runs, target, table, maxErrored }: SideSource): Side {
  return {
    name: manifest.targets.length > 1 ? `${manifest.id}#${target}` : manifest.id,
    runs,
    chosenFrom: chosenFrom(manifest),
    table: table ?? emptyTable(),
    state: manifest.state,
    maxErrored: maxErrored ?? manifest.settings.maxErrored ?? 0,
  };
}
