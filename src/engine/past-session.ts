import type { Fact, Row } from '../core/run.ts';
import type { PastSession } from '../core/target.ts';
import type { Decision } from '../core/verdict.ts';
import { given } from '../lib/given.ts';
import type { Conversation } from './converse.ts';

/** Replays a session of another run unchanged, entry by entry. */
export function replaySession(
  past: PastSession,
  conversation: Conversation,
  tell: (fact: Fact) => void,
): void {
  const { row, transcript, world, note } = past;
  conversation.past = past;
  for (const entry of transcript) {
    conversation.transcript.push(entry);
    tell({ type: 'transcript-entry', entry });
  }
  conversation.latency.push(...(row.latency ?? []));
  conversation.turns = row.turns;
  conversation.steps = row.steps;
  conversation.usage = row.usage.agent;
  conversation.costUsd = row.costUsd.agent;
  conversation.world = world;
  if (note !== undefined) conversation.notes.push(note);
}

/** Whether a trial of another run was never measured. It cannot be graded and keeps its outcome. */
export function stands({ verdict, error }: Pick<Row, 'verdict' | 'error'>): boolean {
  if (verdict === 'errored') return error?.stage !== 'grading';
  return verdict === 'skipped' || verdict === 'cancelled';
}

export function decisionOf({ verdict, score, overall, fallenGates, ungraded = 0, error }: Row): Decision {
  return { verdict, score, ...given({ overall }), fallenGates, ungraded, ...given({ error }) };
}

/** The row of a replayed session: grades are new, everything else is unchanged. */
export function regradedRow(past: Row, now: Row, notes: readonly string[]): Row {
  if (stands(past)) return past;
  const { error: _error, ungraded: _ungraded, failureClass: _class, overall: _overall, ...kept } = past;
  const { judge: _usage, ...usage } = past.usage;
  const { judge: _cost, ...costUsd } = past.costUsd;
  const told = [...new Set([...(past.notes ?? []), ...notes])];
  return {
    ...kept,
    verdict: now.verdict,
    status: now.status,
    passed: now.passed,
    score: now.score,
    threshold: now.threshold,
    fallenGates: now.fallenGates,
    grades: now.grades,
    digests: now.digests,
    // The cost of the earlier judges belongs to the earlier run.
    usage: { ...usage, ...given({ judge: now.usage.judge }) },
    costUsd: { ...costUsd, ...given({ judge: now.costUsd.judge }) },
    ...given({
      overall: now.overall,
      ungraded: now.ungraded,
      error: now.error,
      failureClass: now.failureClass,
    }),
    ...(told.length === 0 ? {} : { notes: told }),
  };
}
