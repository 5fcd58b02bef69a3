import * as z from 'zod';

import type { PlannedFault } from '../../core/test-case.ts';
import { plannedFault } from '../yaml/world-grammar.ts';
import { faultOf } from '../yaml/world-plan.ts';
import { given } from '../../lib/given.ts';

/** A planned misbehaviour of a tool, with the keys of configs; evals use snake_case. */
export const configFault = z
  .strictObject({
    tool: plannedFault.shape.tool,
    kind: plannedFault.shape.kind,
    delayMs: plannedFault.shape.delay_ms,
    onCall: plannedFault.shape.on_call,
    probability: plannedFault.shape.probability,
  })
  .superRefine((written, context) => {
    const found = plannedFault.safeParse(grammarOf(written));
    for (const { message } of found.error?.issues ?? []) {
      context.addIssue({
        code: 'custom',
        message: message.replace('delay_ms', 'delayMs').replace('on_call', 'onCall'),
      });
    }
  });

type ConfigFault = z.infer<typeof configFault>;

export function plannedFaultOf(written: ConfigFault): PlannedFault {
  return faultOf(grammarOf(written));
}

function grammarOf({ delayMs, onCall, ...rest }: ConfigFault) {
  return {
    ...rest,
    ...given({ delay_ms: delayMs, on_call: onCall }),
  };
}
