import type { Sink } from '../../core/log.ts';
import type { RunEvent } from '../../core/run.ts';

/** Most events in run.json, which is always read completely. Further events are only in the log. */
const MOST_EVENTS = 200;

/** Collects events that are in no row: about the run, and about trials that had ended. */
export interface RowlessEvents {
  readonly sink: Sink;
  /** Undefined if there are too many. */
  events(): readonly RunEvent[] | undefined;
}

export function rowlessEvents(): RowlessEvents {
  const running = new Set<string>();
  const kept: RunEvent[] = [];
  const isRowless = ({ trial, fact }: RunEvent): boolean => {
    if (trial === undefined) return fact.type !== 'run-state' || fact.money === undefined;
    return fact.type === 'note' && !running.has(trial);
  };
  return {
    sink: {
      name: 'rowless-events',
      write(event) {
        const { trial, fact } = event;
        if (trial !== undefined && fact.type === 'trial-start') running.add(trial);
        if (trial !== undefined && fact.type === 'trial-end') running.delete(trial);
        if (kept.length <= MOST_EVENTS && isRowless(event)) kept.push(event);
      },
    },
    events: () => (kept.length > MOST_EVENTS ? undefined : kept),
  };
}
