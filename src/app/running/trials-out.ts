import type { AttemptRow, Row, RunEvent } from '../../core/run.ts';
import type { PlannedTrial } from '../../engine/trial-context.ts';
import { given } from '../../lib/given.ts';

/** A trial that a worker has or may take. */
export interface TrialOut {
  readonly trial: PlannedTrial;
  /** Its ended attempts. */
  readonly attempts: readonly AttemptRow[];
  /** When the attempt that runs now began, in milliseconds since 1970; undefined: none runs. */
  readonly startedAt: number | undefined;
}

/** The trials of a run that are handed out. */
export interface TrialsOut {
  /** Resolves to its row when its end is heard, and to undefined when it leaves without one. */
  add(trial: PlannedTrial): Promise<Row | undefined>;
  /** Sets the ended attempts of a trial that an earlier conductor has handed out. */
  adopt(key: string, attempts: readonly AttemptRow[]): void;
  hear(event: RunEvent): void;
  find(number: number): TrialOut | undefined;
  /** Trials that have no end. */
  leave(numbers: readonly number[]): void;
  leaveAll(): void;
  fail(error: unknown): void;
  isEmpty(): boolean;
}

interface Waiting {
  readonly state: TrialOut;
  resolve(row: Row | undefined): void;
  reject(error: unknown): void;
}

export function openTrialsOut(): TrialsOut {
  const out = new Map<string, Waiting>();
  /** Ends that were heard before their trial was handed out: by workers of an earlier conductor. */
  const early = new Map<string, Row>();
  const change = (key: string, changed: Partial<TrialOut>): void => {
    const known = out.get(key);
    if (known !== undefined) out.set(key, { ...known, state: { ...known.state, ...changed } });
  };
  const end = (key: string, row: Row | undefined): void => {
    const known = out.get(key);
    out.delete(key);
    known?.resolve(row);
  };
  const leaveIf = (leaves: (number: number) => boolean): void => {
    for (const [key, { state }] of out) if (leaves(state.trial.number)) end(key, undefined);
  };
  return {
    add: (trial) =>
      new Promise((resolve, reject) => {
        const ended = early.get(trial.key);
        if (ended !== undefined) return resolve(ended);
        const state: TrialOut = { trial, attempts: trial.earlier ?? [], startedAt: undefined };
        out.set(trial.key, { state, resolve, reject });
      }),
    adopt: (key, attempts) => change(key, { attempts }),
    hear({ at, trial: key, fact }) {
      const known = key === undefined ? undefined : out.get(key);
      if (key !== undefined && known === undefined && fact.type === 'trial-end') early.set(key, fact.row);
      if (key === undefined || known === undefined) return;
      if (fact.type === 'trial-end') end(key, fact.row);
      if (fact.type === 'attempt-start') change(key, { startedAt: Date.parse(at) });
      if (fact.type !== 'attempt-end') return;
      const attempt: AttemptRow = { durationMs: fact.durationMs, ...given({ error: fact.error }) };
      change(key, { startedAt: undefined, attempts: [...known.state.attempts, attempt] });
    },
    find: (number) => [...out.values()].find(({ state }) => state.trial.number === number)?.state,
    leave(numbers) {
      const left = new Set(numbers);
      leaveIf((number) => left.has(number));
    },
    leaveAll: () => leaveIf(() => true),
    fail(error) {
      for (const { reject } of out.values()) reject(error);
      out.clear();
    },
    isEmpty: () => out.size === 0,
  };
}
