import { randomUUID } from 'node:crypto';

import type { Yielded } from '../../core/target.ts';
import { tokensOf } from '../../core/transcript.ts';
import { addUsage, type Usage } from '../../core/usage.ts';

/** What a session knows of its earlier turns. */
export interface Memory {
  /** Ours. */
  readonly sessionId: string;
  turn: number;
  steps: number;
  /** Those of earlier turns. */
  stepsBefore: number;
  resume: string | undefined;
  usage: Usage | undefined;
  costUsd: number;
}

/** `resume`: of a session that is gone on with. */
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

/** A response of the model that no entry tells of yet; `step` counts from 1 in the turn. */
export interface StepBegan {
  readonly type: 'step-began';
  readonly step: number;
}

/** What a line of a program gave, in order. */
export function itemsOf(
  reader: { takeStep(): number | undefined },
  entries: readonly Yielded[],
): readonly (Yielded | StepBegan)[] {
  const step = reader.takeStep();
  return step === undefined ? entries : [...entries, { type: 'step-began', step }];
}

/** Adds up what is reported, and numbers the steps of all turns in one row; tells `stepBegan` of those without an entry. */
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
