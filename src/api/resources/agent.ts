import { z } from 'zod';

import type { JsonObject } from '../../lib/json.ts';
import { archivedQuery } from './case-set.ts';
import { document } from './document.ts';
import { listSort, pageOf, pageQuery } from './page.ts';

const config = document<JsonObject>('Target', 'a target as in the config file, with the keys of its type');

const summary = z.object({
  id: z.string().meta({ description: 'a UUID' }),
  name: z.string().meta({ description: 'never changes; in runs it is the name of the target' }),
  description: z.string().nullable(),
  version: z.number().int().meta({ description: 'number of the newest version, from 1' }),
  archived_at: z.string().nullable(),
  created_at: z.string().meta({ description: 'ISO 8601 with microseconds' }),
  updated_at: z
    .string()
    .meta({ description: 'time of the last change of the agent, its versions or its mocks' }),
});

/** An agent with the content of its newest version. */
export const agent = summary.extend({
  config,
  digest: z.string().meta({ description: 'sha-256 of the canonical JSON of `config`' }),
  note: z.string().nullable().meta({ description: 'about this version' }),
});
export type AgentResource = z.infer<typeof agent>;

export const agents = pageOf(summary);

export const agentsQuery = z.strictObject({ ...archivedQuery, sort: listSort, ...pageQuery });

/** A version of an agent; it never changes. */
export const agentVersion = z.object({
  version: z.number().int(),
  config,
  digest: z.string(),
  note: z.string().nullable(),
  created_by: z.string().nullable().meta({ description: 'id of an account' }),
  created_at: z.string(),
});
export type AgentVersionResource = z.infer<typeof agentVersion>;

export const agentVersions = pageOf(agentVersion);

export const agentVersionsQuery = z.strictObject(pageQuery);

/** Checked together with the types of targets and the rules of the server. */
export const agentBody = document<Readonly<Record<string, unknown>>>(
  'Agent',
  '`{name, description?, config, note?}`; `config`: a target as in the config file, of type `http`, `openai-compatible` or `model`',
);

export const agentChange = z.strictObject({
  description: z.string().nullable().optional(),
  archived: z.boolean().optional().meta({ description: 'false restores an archived agent' }),
});

export const agentVersionBody = z.strictObject({
  config,
  note: z.string().nullable().optional().meta({ description: 'about this version' }),
});

export const probeBody = z.strictObject({
  version: z.int().min(1).optional().meta({ description: 'default: the newest' }),
});

/** The result of one message to an agent. */
export const probe = z.object({
  version: z.number().int(),
  duration_ms: z.number(),
  answer: z.string().nullable().meta({ description: 'null if it failed' }),
  usage: document<object>('Usage', 'tokens, as in the rows of results.jsonl').nullable(),
  error: z
    .object({
      kind: z.string(),
      detail: z.string().nullable(),
      message: z.string(),
      hint: z.string().nullable(),
    })
    .nullable(),
});
