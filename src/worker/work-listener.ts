import type { TakenTrial } from '../core/trial-queue.ts';

/** Hears what a worker does. */
export interface WorkListener {
  /** It can take trials. */
  ready(): void;
  /** It takes no trials of a run. */
  refused(run: string, reason: string): void;
  /** It cannot look for trials, and tries it again. Told again when the reason changes. */
  troubled(fault: unknown): void;
  /** It can look for trials again. */
  recovered(): void;
  /** It could not finish a trial, which begins anew elsewhere. */
  dropped(trial: Pick<TakenTrial, 'run' | 'key'>, fault: unknown): void;
  /** It takes no more trials, while so many run. */
  stopping(running: number): void;
  /** It gives so many running trials back. */
  givingBack(running: number): void;
}
