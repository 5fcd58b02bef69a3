import type { RunLog } from '../../../core/log.ts';
import type { Redaction } from '../../runs/redaction.ts';
import { eventsOf } from './read-events.ts';
import type { RunPlace } from './run-room.ts';
import { openSharedLog } from './shared-log.ts';

export interface ConductorsLog {
  readonly redactor: Redaction;
  readonly lease: string;
  readonly lastSequence: number;
}

/** The log of a run for its conductor, who also hears what workers write. */
export function conductorsLog(place: RunPlace, { redactor, lease, lastSequence }: ConductorsLog): RunLog {
  const log = openSharedLog(place, redactor, { heardUntil: lastSequence });
  let isClosed = false;
  const close = () => {
    isClosed = true;
  };
  return {
    async append(facts) {
      if (isClosed) throw new Error('the log is closed');
      return facts.length === 0 ? [] : await log.append(facts, lease);
    },
    read: (after) => eventsOf(place, after),
    heard: async () => (isClosed ? [] : await log.heard()),
    // Rows are written with their events.
    writeRows() {},
    close,
    abandon: close,
  };
}
