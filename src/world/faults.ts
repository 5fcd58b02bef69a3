import { createHash } from 'node:crypto';

import type { PlannedFault } from '../core/test-case.ts';

/** The seed and identity that the random numbers of an attempt depend on. */
export interface Draw {
  readonly seed: number;
  readonly caseDigest: string;
  /** From 1. */
  readonly repetition: number;
}

/** The first planned fault for this call of a tool; calls count from 1. */
export function faultOf(
  faults: readonly PlannedFault[],
  { tool, call }: { readonly tool: string; readonly call: number },
  draw: Draw,
): PlannedFault | undefined {
  return faults.find((fault) => {
    if (fault.tool !== tool) return false;
    if (fault.onCall !== undefined) return fault.onCall === call;
    return drawn(draw, tool, call) < (fault.probability ?? 0);
  });
}

/** A number in [0, 1): the first 53 bits of a hash of the call's identity. */
export function drawn(draw: Draw, tool: string, call: number): number {
  const bits = hashOf(draw, tool, call).readBigUInt64BE(0) >> 11n;
  return Number(bits) / 2 ** 53;
}

/** A seed for random numbers that belongs to this call only. */
export function seedOf(draw: Draw, tool: string, call: number): number {
  return hashOf(draw, tool, call).readUInt32BE(8);
}

function hashOf({ seed, caseDigest, repetition }: Draw, tool: string, call: number): Buffer {
  return createHash('sha256').update([seed, caseDigest, repetition, tool, call].join('\n')).digest();
}
