import type { RunState } from '../core/run.ts';
import { measuredOf, type CaseRecord, type CaseTable } from './case-table.ts';
import { comparePairs, type PairedOptions, type PairedResult, type PairedVerdict } from './paired.ts';
import { ratioOfMedians, type MedianRatio } from './ratio-of-medians.ts';

export type ComparisonVerdict = 'invalid' | PairedVerdict;

/** What may differ between the sides although it is part of what is asked. */
export type Across = 'case' | 'grader';

export interface CompareOptions extends PairedOptions {
  readonly on: 'score' | 'passed';
  readonly across: readonly Across[];
}

/** One target of one run. */
export interface Side {
  /** As messages name it. */
  readonly name: string;
  readonly table: CaseTable;
  readonly state: RunState;
  /** Errored trials that its run tolerates. */
  readonly maxErrored: number;
}

export interface CaseName {
  readonly suite: string;
  readonly caseId: string;
}

/** A case that came out differently. */
export interface MovedCase extends CaseName {
  readonly base: number;
  readonly candidate: number;
  readonly difference: number;
}

/** Why two sides cannot be compared. */
export interface InvalidReason {
  readonly code: 'empty' | 'unfinished' | 'errored' | 'no-overlap' | 'not-measured' | 'digests';
  readonly message: string;
  readonly hint?: string;
}

/** One target compared with another, case by case. */
export interface CaseComparison {
  readonly verdict: ComparisonVerdict;
  /** Empty unless the verdict is invalid. */
  readonly reasons: readonly InvalidReason[];
  /** Null when the verdict is invalid. */
  readonly result: PairedResult | null;
  /** Means over the pairs. */
  readonly means: { readonly base: number; readonly candidate: number } | null;
  /** Largest change first. */
  readonly worse: readonly MovedCase[];
  readonly better: readonly MovedCase[];
  readonly onlyInBase: readonly CaseName[];
  readonly onlyInCandidate: readonly CaseName[];
  readonly notMeasured: readonly (CaseName & { readonly side: 'base' | 'candidate' | 'both' })[];
  /** Cases that are not the same on both sides, or are not graded alike. */
  readonly changed: readonly (CaseName & { readonly what: readonly Across[] })[];
  readonly ratios: Readonly<Record<'costUsd' | 'tokens' | 'latencyMs', MedianRatio | null>> | null;
}

/** Compares two sides whose digests were numbered together. */
export function compareCases(base: Side, candidate: Side, options: CompareOptions): CaseComparison {
  const matched = match(base.table, candidate.table);
  const reasons = reasonsAgainst({ base, candidate, matched }, options);
  const lists = {
    onlyInBase: matched.onlyInBase,
    onlyInCandidate: matched.onlyInCandidate,
    notMeasured: matched.notMeasured,
    changed: matched.changed,
  };
  if (reasons.length > 0) {
    return {
      verdict: 'invalid',
      reasons,
      result: null,
      means: null,
      worse: [],
      better: [],
      ...lists,
      ratios: null,
    };
  }
  const moved = matched.pairs.map((pair) => movedOf(pair, options.on));
  const result = comparePairs(
    moved.map(({ difference }) => difference),
    options,
  );
  const mean = (side: 'base' | 'candidate') =>
    moved.reduce((sum, each) => sum + each[side], 0) / moved.length;
  return {
    verdict: result.verdict,
    reasons,
    result,
    means: { base: mean('base'), candidate: mean('candidate') },
    worse: moved.filter(({ difference }) => difference < 0).sort((a, b) => a.difference - b.difference),
    better: moved.filter(({ difference }) => difference > 0).sort((a, b) => b.difference - a.difference),
    ...lists,
    ratios: {
      costUsd: ratioOf(matched.pairs, 'costUsd'),
      tokens: ratioOf(matched.pairs, 'tokens'),
      latencyMs: ratioOf(matched.pairs, 'latencyMs'),
    },
  };
}

interface Pair {
  readonly base: CaseRecord;
  readonly candidate: CaseRecord;
}

interface Matched {
  /** Measured on both sides. */
  readonly pairs: readonly Pair[];
  /** Cases that both sides have. */
  readonly shared: number;
  readonly onlyInBase: readonly CaseName[];
  readonly onlyInCandidate: readonly CaseName[];
  readonly notMeasured: CaseComparison['notMeasured'];
  readonly changed: CaseComparison['changed'];
}

function match(base: CaseTable, candidate: CaseTable): Matched {
  const pairs: Pair[] = [];
  const onlyInBase: CaseName[] = [];
  const notMeasured: CaseComparison['notMeasured'][number][] = [];
  const changed: CaseComparison['changed'][number][] = [];
  for (const [key, left] of base.cases) {
    const right = candidate.cases.get(key);
    if (right === undefined) {
      onlyInBase.push(nameOf(left));
      continue;
    }
    const what = changesOf(left, right);
    if (what.length > 0) changed.push({ ...nameOf(left), what });
    const side = notMeasuredIn(left, right);
    if (side === undefined) pairs.push({ base: left, candidate: right });
    else if (side !== 'skipped') notMeasured.push({ ...nameOf(left), side });
  }
  const onlyInCandidate = [...candidate.cases].flatMap(([key, record]) =>
    base.cases.has(key) ? [] : [nameOf(record)],
  );
  const shared = base.cases.size - onlyInBase.length;
  return { pairs, shared, onlyInBase, onlyInCandidate, notMeasured, changed };
}

function nameOf({ suite, caseId }: CaseName): CaseName {
  return { suite, caseId };
}

function changesOf(left: CaseRecord, right: CaseRecord): readonly Across[] {
  const graded = left.graders !== '' && right.graders !== '';
  return [
    ...(left.caseDigest === right.caseDigest ? [] : ['case' as const]),
    ...(!graded || left.graders === right.graders ? [] : ['grader' as const]),
  ];
}

/** A case that neither side tried, such as a draft, is nothing to speak of. */
function notMeasuredIn(left: CaseRecord, right: CaseRecord) {
  const [base, candidate] = [measuredOf(left) === 0, measuredOf(right) === 0];
  if (!base && !candidate) return undefined;
  if (base && candidate) return left.errored + right.errored === 0 ? 'skipped' : 'both';
  return base ? 'base' : 'candidate';
}

interface Sides {
  readonly base: Side;
  readonly candidate: Side;
  readonly matched: Matched;
}

function reasonsAgainst({ base, candidate, matched }: Sides, { across }: CompareOptions): InvalidReason[] {
  const own = [...ownReasons(base), ...ownReasons(candidate)];
  if (own.some(({ code }) => code === 'empty')) return own;
  if (matched.shared === 0) {
    const message = `${base.name} and ${candidate.name} have no case in common`;
    return [...own, { code: 'no-overlap', message }];
  }
  const differing = differingReasons(matched, across);
  const unmeasured: InvalidReason = { code: 'not-measured', message: 'no case was measured on both sides' };
  return [...own, ...differing, ...(matched.pairs.length === 0 ? [unmeasured] : [])];
}

function ownReasons({ name, table, state, maxErrored }: Side): InvalidReason[] {
  if (table.trials === 0) return [{ code: 'empty', message: `${name} has no trial with an outcome` }];
  const reasons: InvalidReason[] = [];
  if (state !== 'completed') {
    const what = state === 'running' ? 'has not ended' : `was ${state}`;
    reasons.push({
      code: 'unfinished',
      message: `${name} ${what} before all of its trials had an outcome`,
      hint: 'finish it with assay resume',
    });
  }
  if (table.errored > maxErrored) {
    reasons.push({
      code: 'errored',
      message: `${table.errored} of ${table.trials} trials of ${name} errored and ${maxErrored} are allowed`,
      hint: 'try them again with assay resume --retry errored, or allow some with --max-errored',
    });
  }
  return reasons;
}

function differingReasons({ changed, shared }: Matched, across: readonly Across[]): InvalidReason[] {
  const kinds: readonly Across[] = ['case', 'grader'];
  return kinds.flatMap((kind) => {
    const differing = changed.filter(({ what }) => what.includes(kind));
    const [first] = differing;
    if (first === undefined || across.includes(kind)) return [];
    const what =
      kind === 'case' ? 'are not the same on both sides' : 'are graded differently on the two sides';
    const message = `${differing.length} of ${shared} cases ${what}, such as ${first.caseId} of ${first.suite}`;
    const again = kind === 'grader' ? 'grade the older run again with assay grade, or ' : '';
    return [
      { code: 'digests' as const, message, hint: `${again}compare all the same with --across ${kind}` },
    ];
  });
}

function movedOf({ base, candidate }: Pair, on: CompareOptions['on']): MovedCase {
  const [before, after] = [valueOf(base, on), valueOf(candidate, on)];
  const difference = after - before;
  return {
    ...nameOf(base),
    base: before,
    candidate: after,
    difference: Math.abs(difference) < 1e-9 ? 0 : difference,
  };
}

function valueOf(record: CaseRecord, on: CompareOptions['on']): number {
  return (on === 'score' ? record.scoreSum : record.passed) / measuredOf(record);
}

function ratioOf(pairs: readonly Pair[], what: 'costUsd' | 'tokens' | 'latencyMs'): MedianRatio | null {
  const perTrial = (record: CaseRecord) => record[what] / measuredOf(record);
  return ratioOfMedians(
    pairs.map(({ base }) => perTrial(base)),
    pairs.map(({ candidate }) => perTrial(candidate)),
  );
}
