import { z } from 'zod';

import type { JsonObject } from '../../lib/json.ts';
import { document } from './document.ts';

const agent = z.object({
  config: document<JsonObject>('Target', 'a target as in the config file, with the keys of its type'),
  mocks: z.array(document<object>('ToolMock', 'a tool mock as in the config file')).readonly(),
});

/** A target of the config of the server. */
export const configTarget = z.object({
  name: z.string(),
  type: z.string(),
  is_default: z.boolean().meta({ description: 'a run that names no target tests it' }),
  agent: agent
    .nullable()
    .meta({ description: 'the same target as an agent of the store; null if it cannot be stored' }),
  problems: z
    .array(z.object({ message: z.string(), hint: z.string().nullable() }))
    .readonly()
    .meta({ description: 'why it cannot be stored' }),
});
export type ConfigTargetResource = z.infer<typeof configTarget>;

export const configTargets = z.object({ data: z.array(configTarget).readonly() });
