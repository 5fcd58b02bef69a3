import type { GradeWeight, RowOutcome } from '../core/row-outcome.ts';
import type { Row } from '../core/run.ts';
import { gradingShapes } from './grading-shape.ts';
import type { CaseName, NumberedCase, Numbering } from './numbering.ts';

/** The cases of one target: number i of each list belongs to case i. Sums are over its measured repetitions. */
export interface CaseTable {
  readonly names: readonly CaseName[];
  /** The number that the case has on every side. */
  readonly numbers: readonly number[];
  readonly measured: readonly number[];
  readonly passed: readonly number[];
  readonly errored: readonly number[];
  readonly scores: readonly number[];
  /** Of the agent, USD; NaN once any of it is unknown. */
  readonly costUsd: readonly number[];
  /** Of the agent; NaN once any of it is unknown. */
  readonly tokens: readonly number[];
  /** The mean agent turn of each repetition, milliseconds, summed; NaN once any of it is unknown. */
  readonly latencyMs: readonly number[];
  /** Number of what the case is: its digest, and that of its mocks where it has one. */
  readonly caseDigests: readonly number[];
  /** Numbers of its graders' digests, in order; empty until one was measured. */
  readonly graders: readonly string[];
  /** Number of the digest of its terms; -1 where it has none. */
  readonly terms: readonly number[];
  /** Number of what makes its score beside the graders: their shares of all weight; -1 until one was measured. */
  readonly weights: readonly number[];
  /** Number of which graders are required, and how much of them; -1 until one was measured. */
  readonly gates: readonly number[];
  /** What its score must reach. */
  readonly thresholds: readonly number[];
  /** 1 where gates decide about it whatever its score is; else 0. */
  readonly gated: readonly number[];
  /** Of each measured trial, in order: its case, its score, and whether it passed (1 or 0). */
  readonly trialPlaces: readonly number[];
  readonly trialScores: readonly number[];
  readonly trialPassed: readonly number[];
  /** By the numbers that cases have on every side: their places here, -1 or nothing where a case is not here. */
  readonly places: readonly number[];
  /** Trials with an outcome. */
  readonly trials: number;
  readonly erroredTrials: number;
}

/** Takes a run row by row and keeps a few numbers of each case, by target. */
export interface CaseCollector {
  add(row: RowOutcome): void;
  tables(): ReadonlyMap<string, CaseTable>;
}

/** `digests`: the run's own list, by which its rows name them. */
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

/** A target that has no row. */
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
  };
}

/** Where a case stands, new where it is not there yet. */
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
  /** Of the run's digests, by their own numbers. */
  readonly common: ArrayLike<number>;
  readonly shapeOf: ReturnType<typeof gradingShapes>;
  readonly numbered: NumberedCase;
  readonly digestOf: (row: RowOutcome) => number;
}

function count(table: OpenTable, row: RowOutcome, numbers: CommonNumbers): void {
  const place = placeOf(table, row, numbers);
  table.trials += 1;
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

/** How a case is graded, as its first measured repetition tells it. */
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

/** A grader of weight 0 that is no gate changes neither score nor verdict. */
function isCounted({ weight, required }: GradeWeight): boolean {
  return weight > 0 || required !== undefined;
}

/** Each once, in order. */
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
