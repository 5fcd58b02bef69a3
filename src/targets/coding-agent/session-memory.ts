import { randomUUID } from 'node:crypto';

import type { Yielded } from '../../core/target.ts';
import { tokensOf } from '../../core/transcript.ts';
import { addUsage, type Usage } from '../../core/usage.ts';

/** What a session knows about its earlier turns. */
export interface Memory {
  /** The session id of assay. */
  readonly sessionId: string;
  turn: number;
  steps: number;
  /** Values of earlier turns. */
  stepsBefore: number;
  resume: string | undefined;
  usage: Usage | undefined;
  costUsd: number;
}

/** `resume`: for a resumed session. */
export function newMemory(resume?: string): Memory {
  return {
    sessionId: randomUUID(),
    turn: 0,
    steps: 0,
    stepsBefore: 0,
    resume,
    usage: undefined,
    costUsd: 0,
  };
}

/** A model response without an entry so far; `step` counts from 1 in the turn. */
export interface StepBegan {
  readonly type: 'step-began';
  readonly step: number;
}

/** The results of a program's lines, in order. */
export function itemsOf(
  reader: { takeStep(): number | undefined },
  entries: readonly Yielded[],
): readonly (Yielded | StepBegan)[] {
  const step = reader.takeStep();
  return step === undefined ? entries : [...entries, { type: 'step-began', step }];
}

/** Sums up reported usage, and numbers the steps of all turns; calls `stepBegan` for steps without an entry. */
export async function* remembered<End>(
  entries: AsyncGenerator<Yielded | StepBegan, End>,
  memory: Memory,
  stepBegan?: (step: number) => void,
): AsyncGenerator<Yielded, End> {
  for (;;) {
    const next = await entries.next();
    if (next.done === true) return next.value;
    const entry = next.value;
    if (entry.type === 'step-began') {
      stepBegan?.(numbered(memory, entry.step));
      continue;
    }
    if (entry.type === 'usage' && entry.auxiliary !== true) {
      const tokens = tokensOf(entry);
      if (tokens !== undefined) memory.usage = addUsage(memory.usage, tokens);
      memory.costUsd += entry.costUsd ?? 0;
    }
    if (entry.step === undefined) yield entry;
    else yield { ...entry, step: numbered(memory, entry.step) };
  }
}

function numbered(memory: Memory, stepInTurn: number): number {
  const step = memory.stepsBefore + stepInTurn;
  memory.steps = Math.max(memory.steps, step);
  return step;
}
