import type { RunEvent } from '../../core/run.ts';
import type { Ends } from '../../core/run-store.ts';

/** The part of an event needed to find ends. For a resumption also the dropped trials. */
export interface EventHead {
  readonly sequence: number;
  readonly trial?: string | undefined;
  readonly type: string;
  readonly dropped?: readonly string[] | undefined;
}

export function eventHead({ sequence, trial, fact }: RunEvent): EventHead {
  const dropped = fact.type === 'run-resume' ? fact.dropped : undefined;
  return { sequence, trial, type: fact.type, dropped };
}

/** Finds the valid ends among events that are added in order. Keeps a few numbers per trial. */
export function endsCollector(): { readonly add: (head: EventHead) => void; readonly ends: Ends } {
  const last = new Map<string, number>();
  const droppedAt = new Map<string, number>();
  let places: ReadonlyMap<string, number> | undefined;
  const isVoid = (trial: string, sequence: number) => sequence <= (droppedAt.get(trial) ?? 0);
  return {
    add({ sequence, trial, type, dropped = [] }) {
      if (type === 'trial-end' && trial !== undefined) {
        last.set(trial, sequence);
        places = undefined;
      }
      for (const key of dropped) droppedAt.set(key, sequence);
    },
    ends: {
      isVoid,
      // Setting an existing key of a Map keeps its position.
      placeOf: (trial) =>
        (places ??= new Map([...last.keys()].map((key, index) => [key, index + 1]))).get(trial) ??
        last.size + 1,
      isLast: (trial, sequence) => last.get(trial) === sequence && !isVoid(trial, sequence),
    },
  };
}
