import { errorRecord } from '../../core/errors.ts';
import type { RunEvent } from '../../core/run.ts';

/** Replaces an event that cannot be serialised as JSON: an errored row, or a note about the missing event. */
export function standIn(event: RunEvent, thrown: unknown): RunEvent {
  const { fact } = event;
  const error = errorRecord(thrown, { stage: 'log', kind: 'contract' });
  const message = `a ${fact.type} could not be written as JSON: ${error.message}`;
  if (fact.type !== 'trial-end') return { ...event, fact: { type: 'note', text: message } };
  const { overall: _1, ungraded: _2, failureClass: _3, notes: _4, flags: _5, end: _6, ...row } = fact.row;
  return {
    ...event,
    fact: {
      type: 'trial-end',
      row: {
        ...row,
        attempts: row.attempts.map(({ durationMs }) => ({ durationMs })),
        verdict: 'errored',
        status: 'errored',
        passed: false,
        score: null,
        fallenGates: [],
        grades: [],
        output: null,
        error: { ...error, message },
      },
    },
  };
}
