import { AsyncLocalStorage } from 'node:async_hooks';

import type { Emitted } from '../../core/run.ts';
import type { TakenTrial } from '../../core/trial-queue.ts';
import type { EventStream } from '../../engine/event-stream.ts';

/** A taken trial, and what is written under its lease. */
export interface Voice {
  readonly taken: TakenTrial;
  readonly stream: EventStream;
}

/** The trials of a run on this worker that can still write. What concerns the run is written under one of their leases. */
export interface Voices {
  /** Runs the work of a trial, which may write until that is over. */
  speaking<T>(voice: Voice, work: () => Promise<T>): Promise<T>;
  /** Writes a fact. With the end of the trial, its lease ends. */
  untilEnd(voice: Voice): EventStream['settle'];
  /** The trial whose work asks. Undefined: outside of the trials, or after its end. */
  own(): Voice | undefined;
  any(): Voice | undefined;
}

export function openVoices(): Voices {
  const live = new Set<Voice>();
  const current = new AsyncLocalStorage<Voice>();
  return {
    async speaking(voice, work) {
      live.add(voice);
      try {
        return await current.run(voice, work);
      } finally {
        live.delete(voice);
      }
    },
    untilEnd: (voice) => (emitted: Emitted) => {
      if (emitted.fact.type === 'trial-end') live.delete(voice);
      return voice.stream.settle(emitted);
    },
    own() {
      const voice = current.getStore();
      return voice !== undefined && live.has(voice) ? voice : undefined;
    },
    any: () => [...live][0],
  };
}
