import type { Row } from '../../core/run.ts';
import type { ClaimedRun, StoredRun } from '../../core/run-store.ts';
import { runFold } from '../../reading/run-view.ts';
import { trialKey } from '../../core/trial.ts';
import type { BoundRun } from '../binding/bind.ts';
import { distrustOf } from '../running/distrust.ts';
import type { Earlier } from '../running/earlier.ts';
import { given } from '../../lib/given.ts';
import { keptNumbers, type KeptNumbers } from './kept-numbers.ts';
import { freedSkips } from './freed-skips.ts';
import type { SpentBefore } from './spent-before.ts';
import type { CaseDigests } from '../../core/run-spec.ts';
import { gradersUnder } from '../../engine/plan.ts';

/** Facts about the whole run from its log. */
export interface Logged extends Pick<Earlier, 'lastSequence' | 'fold'> {
  readonly numbers: KeptNumbers;
}

export async function readLog(run: StoredRun, spent: SpentBefore): Promise<Logged> {
  const fold = runFold();
  const numbers = keptNumbers();
  let lastSequence = 0;
  for await (const event of run.events()) {
    lastSequence = event.sequence;
    spent.add(event);
    numbers.add(event);
    if (event.fact.type === 'run-start') fold.apply(event);
  }
  return { lastSequence, fold, numbers };
}

export interface Left extends Logged {
  readonly bound: BoundRun;
  /** Verdicts to run again. */
  readonly retry: readonly string[];
  readonly isReplanned: boolean;
}

/** Removes the rows of trials to run again, and returns what to run. */
export async function whatIsLeft(claimed: ClaimedRun, what: Left): Promise<Earlier> {
  const { bound, retry, isReplanned, fold, lastSequence, numbers } = what;
  const distrust = distrustOf();
  const ended = new Map<string, boolean>();
  const retried = new Map<string, Row>();
  const dropped: string[] = [];
  const attemptsOf = new Map<string, number>();
  const isAsPlanned = comparedWith(bound);
  const freed = await freedSkips({
    plan: bound.plan,
    rows: claimed.loggedRows,
    stays: (row) => isAsPlanned(row) && !retry.includes(row.verdict),
  });
  const stays = (row: Row): boolean => {
    const key = trialKey(row);
    if (freed.has(key) || !isAsPlanned(row)) {
      dropped.push(key);
      return false;
    }
    attemptsOf.set(key, row.attempts.length);
    if (retry.includes(row.verdict)) {
      retried.set(key, row);
      return false;
    }
    ended.set(key, row.passed);
    fold.add(row);
    distrust.add(row);
    return true;
  };
  // What workers end from now on is heard from the log.
  await claimed.keepRows(stays, lastSequence);
  const numberOf = numbers.under(bound.plan, isReplanned ? 'other-plan' : 'same-plan');
  await claimed.dropStrayAttempts(attemptsOf);
  return {
    lastSequence,
    ended,
    dropped,
    isReplanned,
    distrust,
    recall(trial) {
      const earlier = retried.get(trial.key)?.attempts;
      return { ...trial, number: numberOf(trial), ...given({ earlier }) };
    },
    fold: {
      ...fold,
      apply(event) {
        if (event.fact.type === 'trial-end' && event.trial !== undefined) retried.delete(event.trial);
        fold.apply(event);
      },
    },
    giveBack() {
      for (const row of retried.values()) {
        fold.add(row);
        distrust.add(row);
      }
      claimed.addRows(retried.values());
    },
  };
}

/** Returns whether a row belongs to a case and a target as currently planned. */
function comparedWith(bound: BoundRun): (row: Row) => boolean {
  const current = caseDigests(bound);
  const targets = new Map(bound.spec.targets.map(({ name, digest }) => [name, digest]));
  return (row) => {
    const digests = current.get(`${row.suite}\n${row.caseId}`);
    if (digests === undefined || digests.case !== row.digests.case) return false;
    if (!isGradedBy(row, gradersUnder(digests, row.target))) return false;
    if (row.digests.terms !== digests.terms || row.digests.mocks !== digests.mocks) return false;
    return targets.get(row.target) === row.digests.target;
  };
}

/** Whether these graders gave the grades of a row. A row that was never graded has no grades. */
function isGradedBy({ grades }: Row, graders: readonly number[]): boolean {
  const own = new Set(grades.map(({ digest }) => digest));
  if (own.size === 0 || own.has(undefined)) return true;
  return graders.every((number) => own.has(number)) && own.size === new Set(graders).size;
}

function caseDigests({ plan }: BoundRun): ReadonlyMap<string, CaseDigests> {
  const current = new Map<string, CaseDigests>();
  for (const { suite, id, digests } of plan.cases)
    current.set(`${plan.suites[suite]?.id ?? ''}\n${id}`, digests);
  return current;
}
