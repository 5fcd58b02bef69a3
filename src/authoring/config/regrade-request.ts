import * as z from 'zod';

import type { CaseSelector, RequestedSettings } from '../../core/run-options.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { Fault } from '../yaml/fault.ts';
import { caseSelector, selectorOf } from './requested-cases.ts';
import { readRunRequest } from './run-request.ts';
import { soundPart } from './sound-part.ts';

const schema = z.strictObject({
  judge: z.unknown().optional(),
  expectations: z.unknown().optional(),
  select: caseSelector.optional(),
  target: z.string().min(1).optional(),
  budget_usd: z.number().min(0).optional(),
  allow_unknown_cost: z.boolean().optional(),
});

/** What a request to grade a run again asks for. */
export interface AskedRegrade {
  readonly request?: RequestedSettings;
  readonly select?: CaseSelector;
  /** Only the trials of this target of the run. */
  readonly target?: string;
  readonly maxCostUsd?: number;
  readonly allowUnknownCost?: boolean;
}

/**
 * Checks the body of a request to grade a run again. Returns all mistakes, and the valid remainder, so that the rest
 * can be checked too. `targets`: names of the config's.
 */
export function readRegrade(
  body: unknown,
  targets: readonly string[],
): { readonly value?: AskedRegrade; readonly faults: readonly Fault[] } {
  const { sound, faults } = soundPart(schema, body);
  if (sound === undefined) return { faults };
  const { select, target, budget_usd: maxCostUsd, allow_unknown_cost: allowUnknownCost, ...written } = sound;
  const { request, faults: wrong } = readRunRequest(written, targets);
  const laid = (request ?? {}) as JsonObject;
  return {
    value: {
      ...(Object.keys(laid).length === 0 ? {} : { request: { laid } }),
      ...given({ select: select && selectorOf(select), target, maxCostUsd, allowUnknownCost }),
    },
    faults: [...faults, ...wrong],
  };
}
