import type { Manifest } from '../core/manifest.ts';
import type { Row } from '../core/run.ts';
import { WORST_FIRST, type Status } from '../core/verdict.ts';
import { given } from '../lib/given.ts';
import { isUnjudged, UNJUDGED } from './outcomes.ts';

/** What a cell tells of one trial. */
export type MatrixTrial = Pick<Row, 'number' | 'repetition' | 'verdict' | 'status' | 'score'> & {
  /** Its verdict leaves out expected outcomes. */
  readonly isUnjudged?: true;
};

export interface MatrixCase<Trial extends MatrixTrial = MatrixTrial> {
  readonly suite: string;
  readonly caseId: string;
  readonly caseName?: string;
  /** One list for each target, in the order of `targets`; each has the trials in the order of their repetitions. */
  readonly cells: readonly (readonly Trial[])[];
}

/** Cases against targets, in the order of the plan. */
export interface Matrix<Trial extends MatrixTrial = MatrixTrial> {
  readonly targets: readonly string[];
  readonly cases: readonly MatrixCase<Trial>[];
}

/** The matrix of rows in any order. `trialOf` gives what is kept of a row. Targets without a row have no column. */
export async function readMatrix<Trial extends MatrixTrial>(
  rows: AsyncIterable<Row>,
  { targets }: Pick<Manifest, 'targets'>,
  trialOf: (row: Row) => Trial,
): Promise<Matrix<Trial>> {
  const cases = new Map<
    string,
    { readonly head: Row; first: number; readonly cells: Map<string, Trial[]> }
  >();
  const seen = new Set<string>();
  for await (const row of rows) {
    const key = JSON.stringify([row.suite, row.caseId]);
    const known = cases.get(key) ?? { head: row, first: row.number, cells: new Map<string, Trial[]>() };
    cases.set(key, known);
    known.first = Math.min(known.first, row.number);
    seen.add(row.target);
    const cell = known.cells.get(row.target) ?? [];
    known.cells.set(row.target, cell);
    cell.push(trialOf(row));
  }
  const planned = targets.map(({ name }) => name).filter((name) => seen.has(name));
  const names = [...planned, ...[...seen].filter((name) => !planned.includes(name))];
  return {
    targets: names,
    cases: [...cases.values()]
      .sort((left, right) => left.first - right.first)
      .map(({ head: { suite, caseId, caseName }, cells }) => ({
        suite,
        caseId,
        ...given({ caseName }),
        cells: names.map((name) =>
          (cells.get(name) ?? []).sort((left, right) => left.repetition - right.repetition),
        ),
      })),
  };
}

export function matrixTrial(row: Row): MatrixTrial {
  const { number, repetition, verdict, status, score } = row;
  return { number, repetition, verdict, status, score, ...(isUnjudged(row) ? { isUnjudged: true } : {}) };
}

/** The results of the trials of one cell. */
export interface CellOutcome {
  /** The worst status; undefined without trials. */
  readonly status: Status | undefined;
  readonly passed: number;
  /** Passed and failed trials. */
  readonly measured: number;
  /** Mean over the trials that have a score; null without one. */
  readonly score: number | null;
}

export function cellOutcome(trials: readonly MatrixTrial[]): CellOutcome {
  const scores = trials.flatMap(({ score }) => (score === null ? [] : [score]));
  const passed = trials.filter(({ verdict }) => verdict === 'passed').length;
  return {
    status: WORST_FIRST.find((each) => trials.some(({ status }) => status === each)),
    passed,
    measured: passed + trials.filter(({ verdict }) => verdict === 'failed').length,
    score: scores.length === 0 ? null : scores.reduce((sum, each) => sum + each, 0) / scores.length,
  };
}

/** Whether the targets of a case have different shares of passed trials. Unmeasured cells do not count. */
export function differs({ cells }: MatrixCase): boolean {
  const shares = cells
    .map(cellOutcome)
    .flatMap(({ passed, measured }) => (measured === 0 ? [] : [passed / measured]));
  return new Set(shares).size > 1;
}

/** Stands in cells whose verdict leaves out expected outcomes. */
export const UNJUDGED_MARK = '*';

/** Explains the mark; undefined if no cell has it. */
export function unjudgedLegend({ cases }: Matrix): string | undefined {
  const isMarked = cases.some(({ cells }) => cells.flat().some((trial) => trial.isUnjudged));
  return isMarked ? `${UNJUDGED_MARK} ${UNJUDGED}` : undefined;
}

/** What a column is called: the values of a variant if all targets are variants of one base, else the target. */
export function columnTitles(
  names: readonly string[],
  { targets }: Pick<Manifest, 'targets'>,
): readonly string[] {
  const variants = names.map((name) => targets.find((target) => target.name === name)?.variant);
  const [first] = variants;
  const isOneBase = first !== undefined && variants.every((each) => each?.base === first.base);
  return isOneBase ? variants.map((each) => Object.values(each?.values ?? {}).join(', ')) : names;
}
