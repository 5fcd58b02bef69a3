import type { ComparedCase } from '../core/run-comparison.ts';
import type { GradeWeight, RowOutcome } from '../core/row-outcome.ts';
import type { Row } from '../core/run.ts';
import { gradingShapes } from './grading-shape.ts';
import type { NumberedCase, Numbering } from './numbering.ts';

/** The cases of one target in columns: item i of each list belongs to case i. Sums are over measured repetitions. */
export interface CaseTable {
  readonly names: readonly ComparedCase[];
  /** The number of the case, the same on both sides. */
  readonly numbers: readonly number[];
  readonly measured: readonly number[];
  readonly passed: readonly number[];
  readonly errored: readonly number[];
  readonly scores: readonly number[];
  /** Cost of the agent in US dollars. NaN if a part is unknown. */
  readonly costUsd: readonly number[];
  /** Tokens of the agent. NaN if a part is unknown. */
  readonly tokens: readonly number[];
  /** Sum over repetitions of the mean agent turn in milliseconds. NaN if a part is unknown. */
  readonly latencyMs: readonly number[];
  /** Number of the digest of the case and of its mocks. */
  readonly caseDigests: readonly number[];
  /** Numbers of its graders' digests, in order. Empty before the first measured repetition. */
  readonly graders: readonly string[];
  /** Number of the digest of its terms; -1 without one. */
  readonly terms: readonly number[];
  /** Number of its graders' shares of the total weight; -1 before the first measured repetition. */
  readonly weights: readonly number[];
  /** Number of its gates and their limits; -1 before the first measured repetition. */
  readonly gates: readonly number[];
  /** Score that is needed to pass. */
  readonly thresholds: readonly number[];
  /** 1 if gates alone decide the case, else 0. */
  readonly gated: readonly number[];
  /** For each measured trial, in order: its case, its score, and whether it passed (1 or 0). */
  readonly trialPlaces: readonly number[];
  readonly trialScores: readonly number[];
  readonly trialPassed: readonly number[];
  /** Positions in this table by case number. -1 or undefined if the case is not here. */
  readonly places: readonly number[];
  /** Number of trials with an outcome. */
  readonly trials: number;
  readonly erroredTrials: number;
  /** Trials whose answer comes from an earlier run. */
  readonly cachedTrials: number;
}

/** Collects a run row by row, with a few numbers per case and target. */
export interface CaseCollector {
  add(row: RowOutcome): void;
  tables(): ReadonlyMap<string, CaseTable>;
}

/** `digests`: the list of the run, to which its rows refer. */
export function collectCases(digests: readonly string[], numbering: Numbering): CaseCollector {
  const common = numbering.list(digests);
  const shapeOf = gradingShapes(numbering.text);
  const digestOf = ({ caseDigest, mocksDigest }: RowOutcome): number =>
    mocksDigest === undefined
      ? (common[caseDigest] ?? -1)
      : numbering.text(`${digests[caseDigest] ?? ''} ${digests[mocksDigest] ?? ''}`);
  const tables = new Map<string, OpenTable>();
  return {
    add: (row) => {
      let table = tables.get(row.target);
      if (table === undefined) tables.set(row.target, (table = openTable()));
      const numbered = numbering.case(row.suite, row.caseId);
      count(table, row, { common, shapeOf, numbered, digestOf });
    },
    tables: () => tables,
  };
}

/** The table of a target without rows. */
export function emptyTable(): CaseTable {
  return openTable();
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] extends readonly (infer Item)[] ? Item[] : T[Key] };

type OpenTable = Mutable<CaseTable>;

function openTable(): OpenTable {
  return {
    names: [],
    numbers: [],
    places: [],
    measured: [],
    passed: [],
    errored: [],
    scores: [],
    costUsd: [],
    tokens: [],
    latencyMs: [],
    caseDigests: [],
    graders: [],
    terms: [],
    weights: [],
    gates: [],
    thresholds: [],
    gated: [],
    trialPlaces: [],
    trialScores: [],
    trialPassed: [],
    trials: 0,
    erroredTrials: 0,
    cachedTrials: 0,
  };
}

/** The position of a case, added if new. */
function placeOf(
  table: OpenTable,
  row: RowOutcome,
  { numbered: { number, name }, digestOf }: CommonNumbers,
): number {
  const known = table.places[number] ?? -1;
  if (known >= 0) return known;
  while (table.places.length <= number) table.places.push(-1);
  const place = table.numbers.length;
  table.places[number] = place;
  table.numbers.push(number);
  table.names.push(name);
  table.caseDigests.push(digestOf(row));
  table.graders.push('');
  table.thresholds.push(row.threshold);
  table.terms.push(-1);
  table.weights.push(-1);
  table.gates.push(-1);
  table.measured.push(0);
  table.passed.push(0);
  table.errored.push(0);
  table.gated.push(0);
  table.scores.push(0);
  table.costUsd.push(0);
  table.tokens.push(0);
  table.latencyMs.push(0);
  return place;
}

interface CommonNumbers {
  /** Common numbers of the run's digests, by their own numbers. */
  readonly common: ArrayLike<number>;
  readonly shapeOf: ReturnType<typeof gradingShapes>;
  readonly numbered: NumberedCase;
  readonly digestOf: (row: RowOutcome) => number;
}

function count(table: OpenTable, row: RowOutcome, numbers: CommonNumbers): void {
  const place = placeOf(table, row, numbers);
  table.trials += 1;
  if (row.isCached === true) table.cachedTrials += 1;
  if (row.verdict === 'errored') {
    table.erroredTrials += 1;
    add(table.errored, place, 1);
  }
  if (row.verdict !== 'passed' && row.verdict !== 'failed') return;
  if (table.measured[place] === 0) takeGrading(table, { row, place }, numbers);
  add(table.measured, place, 1);
  if (row.verdict === 'passed') add(table.passed, place, 1);
  add(table.scores, place, row.score ?? Number.NaN);
  table.trialPlaces.push(place);
  table.trialScores.push(row.score ?? Number.NaN);
  table.trialPassed.push(row.verdict === 'passed' ? 1 : 0);
  add(table.costUsd, place, row.costUsd ?? Number.NaN);
  add(table.tokens, place, row.tokens ?? Number.NaN);
  add(table.latencyMs, place, meanOf(row.latency));
}

/** Records how a case is graded, from its first measured repetition. */
function takeGrading(
  table: OpenTable,
  { row, place }: { readonly row: RowOutcome; readonly place: number },
  { common, shapeOf }: CommonNumbers,
): void {
  const commonOf = (digest: number | undefined) => common[digest ?? -1] ?? -1;
  const graders = row.graders.filter(isCounted);
  const own = ownGraders(graders, commonOf);
  const { gates, weights, isGated } = shapeOf(
    graders.map(({ digest, weight, required }) => {
      return { grader: own.indexOf(commonOf(digest)), weight, required };
    }),
  );
  table.graders[place] = own.join(',');
  table.terms[place] = commonOf(row.termsDigest);
  table.gates[place] = gates;
  table.weights[place] = weights;
  table.gated[place] = isGated ? 1 : 0;
}

/** Whether a grader counts. With weight 0 and without a gate it changes neither score nor verdict. */
function isCounted({ weight, required }: GradeWeight): boolean {
  return weight > 0 || required !== undefined;
}

/** Distinct digest numbers of the graders, in order. */
function ownGraders(
  graders: readonly GradeWeight[],
  commonOf: (digest: number | undefined) => number,
): readonly number[] {
  const own: number[] = [];
  for (const { digest } of graders) {
    if (digest !== undefined && !own.includes(commonOf(digest))) own.push(commonOf(digest));
  }
  return own.sort((left, right) => left - right);
}

function add(list: number[], place: number, value: number): void {
  list[place] = (list[place] as number) + value;
}

function meanOf(latency: Row['latency']): number {
  if (latency === undefined || latency.length === 0) return Number.NaN;
  return latency.reduce((sum, ms) => sum + ms, 0) / latency.length;
}
