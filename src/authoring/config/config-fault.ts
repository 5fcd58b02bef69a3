import * as z from 'zod';

import { plannedFault } from '../yaml/world-grammar.ts';
import { camelKeys, snakeKeys } from '../../lib/text/key-case.ts';

/** A planned misbehaviour of a tool, with the keys of configs; evals use snake_case. */
export const configFault = z.strictObject(camelKeys(plannedFault.shape)).superRefine((written, context) => {
  const found = plannedFault.safeParse(snakeKeys(written));
  for (const { message } of found.error?.issues ?? []) {
    context.addIssue({
      code: 'custom',
      message: message.replace('delay_ms', 'delayMs').replace('on_call', 'onCall'),
    });
  }
});
