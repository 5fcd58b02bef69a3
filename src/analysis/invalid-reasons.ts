import type { Across, Change, InvalidHint, InvalidReason } from '../core/run-comparison.ts';
import { isUnderWay, type RunState } from '../core/run.ts';
import type { CaseTable } from './case-table.ts';
import type { Matched } from './match-cases.ts';

/** One target of one run. */
export interface Side {
  /** Name in messages. */
  readonly name: string;
  /** Ids of its run and of all runs whose trials it contains, because it graded or merged them. */
  readonly runs: readonly string[];
  /** Runs whose outcomes selected its cases (`--failed`). */
  readonly chosenFrom: readonly string[];
  readonly table: CaseTable;
  readonly state: RunState;
  /** Number of errored trials that its run tolerates. */
  readonly maxErrored: number;
}

/** The compared value, and the allowed differences. */
export interface Compared {
  readonly on: 'score' | 'passed';
  readonly across: readonly Across[];
}

interface Sides {
  readonly base: Side;
  readonly candidate: Side;
  readonly matched: Matched;
}

/** Why two sides cannot be compared. Empty if they can. */
export function reasonsAgainst({ base, candidate, matched }: Sides, options: Compared): InvalidReason[] {
  const own = [...ownReasons(base), ...ownReasons(candidate), ...selectionReasons(base, candidate, options)];
  if (own.some(({ code }) => code === 'empty')) return own;
  if (matched.shared === 0) {
    const message = `${base.name} and ${candidate.name} have no case in common`;
    return [...own, { code: 'no-overlap', message }];
  }
  const differing = differingReasons(matched, options);
  const unmeasured: InvalidReason = { code: 'not-measured', message: 'no case was measured on both sides' };
  return [...own, ...differing, ...(matched.pairs.length === 0 ? [unmeasured] : [])];
}

/** Cases that failed by chance tend to pass the next time, so an unchanged agent would look improved. */
function selectionReasons(base: Side, candidate: Side, { across }: Compared): InvalidReason[] {
  if (across.includes('selection')) return [];
  const chosen = (side: Side, other: Side) => side.chosenFrom.some((run) => other.runs.includes(run));
  const sides = [
    { side: base, other: candidate },
    { side: candidate, other: base },
  ].filter(({ side, other }) => chosen(side, other));
  return sides.map(({ side, other }) => ({
    code: 'selection',
    message: `${side.name} only contains cases that failed or errored in ${other.name} (--failed), so even an unchanged agent looks different`,
    hint: 'compare two complete runs, or allow it with --across selection',
  }));
}

function ownReasons({ name, table, state, maxErrored }: Side): InvalidReason[] {
  if (table.trials === 0) return [{ code: 'empty', message: `${name} has no trial with an outcome` }];
  const reasons: InvalidReason[] = [];
  if (state !== 'completed') {
    const what = isUnderWay(state) ? 'has not ended' : `was ${state}`;
    reasons.push({
      code: 'unfinished',
      message: `${name} ${what} before all of its trials had an outcome`,
      hint: 'finish it with assay resume',
    });
  }
  if (table.erroredTrials > maxErrored) {
    reasons.push({
      code: 'errored',
      message: `${table.erroredTrials} of ${table.trials} trials of ${name} errored, but ${maxErrored} are allowed`,
      hint: 'run them again with assay resume --retry errored, or allow more with --max-errored',
    });
  }
  return reasons;
}

const differing = {
  case: 'are not the same on both sides',
  grader: 'are graded differently on the two sides',
  weight: 'have different grader weights on the two sides',
  gate: 'have different required graders on the two sides',
  threshold: 'have different pass thresholds on the two sides',
} satisfies Readonly<Record<Change, string>>;

const regrading = 'grade the older run again with assay grade, or allow it with --across grader';

const mending: Readonly<Record<Change, InvalidHint>> = {
  case: 'allow it with --across case',
  grader: regrading,
  weight: regrading,
  gate: regrading,
  // A grade run keeps the threshold of the source's flag.
  threshold: 'run both with the same threshold, or allow it with --across grader',
};

/** Gates and the threshold change verdicts, but never scores. */
const deciding: Readonly<Record<Compared['on'], readonly Change[]>> = {
  score: ['case', 'grader', 'weight'],
  passed: ['case', 'grader', 'weight', 'gate', 'threshold'],
};

function differingReasons({ changed, shared }: Matched, { across, on }: Compared): InvalidReason[] {
  return deciding[on].flatMap((change) => {
    const changedSo = changed.filter(({ what }) => what.includes(change));
    const [first] = changedSo;
    const kind: Across = change === 'case' ? 'case' : 'grader';
    if (first === undefined || across.includes(kind)) return [];
    const message = `${changedSo.length} of ${shared} cases ${differing[change]}, such as ${first.caseId} of ${first.suite}`;
    return [{ code: 'digests' as const, message, hint: mending[change] }];
  });
}
