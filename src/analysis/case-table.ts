import type { Row } from '../core/run.ts';

/** What the repetitions of one case came to; sums over the measured ones. */
export interface CaseRecord {
  readonly suite: string;
  readonly caseId: string;
  readonly passed: number;
  readonly failed: number;
  readonly errored: number;
  readonly scoreSum: number;
  /** Of the agent, USD; NaN once any of it is unknown. */
  readonly costUsd: number;
  /** Of the agent; NaN once any of it is unknown. */
  readonly tokens: number;
  /** Mean agent turn of each repetition, milliseconds, summed; NaN once any of it is unknown. */
  readonly latencyMs: number;
  /** Number of the case's digest. */
  readonly caseDigest: number;
  /** Numbers of its graders' digests, in order; empty until one was measured. */
  readonly graders: string;
}

/** The cases of one target, by suite and id. */
export interface CaseTable {
  readonly cases: ReadonlyMap<string, CaseRecord>;
  /** Trials with an outcome. */
  readonly trials: number;
  readonly errored: number;
}

/** Gives equal digests of several runs equal numbers. */
export type Numbering = (digest: string) => number;

export function numbering(): Numbering {
  const numbers = new Map<string, number>();
  return (digest) => {
    const known = numbers.get(digest);
    if (known !== undefined) return known;
    numbers.set(digest, numbers.size);
    return numbers.size - 1;
  };
}

/** Takes a run row by row and keeps a few numbers of each case, by target. */
export interface CaseCollector {
  add(row: Row): void;
  tables(): ReadonlyMap<string, CaseTable>;
}

/** `digests`: the run's own list, by which its rows name them. */
export function collectCases(digests: readonly string[], numberOf: Numbering): CaseCollector {
  const common = digests.map(numberOf);
  const tables = new Map<string, OpenTable>();
  const tableOf = (target: string) => {
    const known = tables.get(target) ?? { cases: new Map<string, OpenRecord>(), trials: 0, errored: 0 };
    tables.set(target, known);
    return known;
  };
  return {
    add: (row) => {
      const table = tableOf(row.target);
      const key = `${row.suite}\n${row.caseId}`;
      let record = table.cases.get(key);
      if (record === undefined) table.cases.set(key, (record = emptyRecord(row, common)));
      table.trials += 1;
      if (row.verdict === 'errored') table.errored += 1;
      count(record, row, common);
    },
    tables: () => tables,
  };
}

/** Repetitions that were measured. */
export function measuredOf({ passed, failed }: CaseRecord): number {
  return passed + failed;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
type OpenRecord = Mutable<CaseRecord>;

interface OpenTable {
  readonly cases: Map<string, OpenRecord>;
  trials: number;
  errored: number;
}

function emptyRecord(row: Row, common: readonly number[]): OpenRecord {
  return {
    suite: row.suite,
    caseId: row.caseId,
    passed: 0,
    failed: 0,
    errored: 0,
    scoreSum: 0,
    costUsd: 0,
    tokens: 0,
    latencyMs: 0,
    caseDigest: common[row.digests.case] ?? -1,
    graders: '',
  };
}

function count(record: OpenRecord, row: Row, common: readonly number[]): void {
  if (row.verdict === 'errored') record.errored += 1;
  if (row.verdict !== 'passed' && row.verdict !== 'failed') return;
  record[row.verdict] += 1;
  record.scoreSum += row.score ?? Number.NaN;
  record.costUsd += row.costUsd.agent ?? Number.NaN;
  record.tokens += row.usage.agent?.totalTokens ?? Number.NaN;
  record.latencyMs += meanOf(row.latency);
  if (record.graders === '') record.graders = gradersOf(row, common);
}

function meanOf(latency: Row['latency']): number {
  if (latency === undefined || latency.length === 0) return Number.NaN;
  return latency.reduce((sum, ms) => sum + ms, 0) / latency.length;
}

/** Parts of one expectation carry its digest, so each is taken once. */
function gradersOf({ grades }: Row, common: readonly number[]): string {
  const numbers = new Set<number>();
  for (const { digest } of grades) if (digest !== undefined) numbers.add(common[digest] ?? -1);
  return [...numbers].sort((left, right) => left - right).join(',');
}
