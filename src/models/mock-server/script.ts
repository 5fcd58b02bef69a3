import * as z from 'zod';
import { LONGEST_TIME_MS, TOO_LONG_A_TIME } from '../../lib/time/time-limit.ts';
import { jsonValue, textMapping } from '../../lib/text/json-value.ts';

const count = z.int().min(0);

const usage = z.strictObject({
  input: count.optional(),
  output: count.optional(),
  cacheRead: count.optional(),
  cacheWrite: count.optional(),
  reasoning: count.optional(),
});

const reply = z.strictObject({
  text: z.string().optional(),
  /** Answered as JSON text. */
  json: jsonValue().optional(),
  thinking: z.string().optional(),
  toolCalls: z
    .array(
      z.strictObject({
        name: z.string().min(1),
        /** The group of the tool; only OpenAI responses have groups. */
        namespace: z.string().optional(),
        input: jsonValue().default({}),
        /** Used unchanged instead of `input`, for arguments that are not JSON. */
        rawInput: z.string().optional(),
        id: z.string().optional(),
      }),
    )
    .optional(),
  finish: z.enum(['stop', 'length', 'content-filter']).optional(),
  usage: usage.nullable().optional(),
  /** USD, as some endpoints report it. */
  cost: z.number().min(0).optional(),
  /** The name of the model in the answer. */
  model: z.string().optional(),
  /** From 400: an error in the format of the protocol. */
  status: z.int().min(200).max(599).optional(),
  message: z.string().optional(),
  headers: textMapping().optional(),
  delayMs: z.number().min(0).max(LONGEST_TIME_MS, TOO_LONG_A_TIME).optional(),
  /** `break`: the connection is lost in the middle. `end`: a stream ends properly, but too early. */
  cut: z.enum(['break', 'end']).optional(),
  malformed: z.boolean().optional(),
  /** Never answers. */
  hang: z.boolean().optional(),
});

const match = z.strictObject({
  /** `*` matches any text. */
  model: z.string().optional(),
  /** Somewhere in the messages. */
  contains: z.string().optional(),
  /** In the last message of the user. */
  last: z.string().optional(),
  role: z.enum(['text', 'json']).optional().describe('json: the request asks for a structured answer'),
  /** Whether the request has tools; agents ask for titles and the like without tools. */
  tools: z.boolean().optional(),
});

const rule = z
  .strictObject({
    match: match.optional(),
    reply: reply.optional(),
    /** One per step: the number of tool results in the request selects it; the last one is repeated. */
    replies: z.array(reply).min(1).optional(),
    /**
     * What `replies` counts: results since the user spoke (default), or in the whole request, for agents that speak as
     * the user.
     */
    steps: z.enum(['turn', 'request']).optional(),
    /** Maximum number of equal requests that this rule answers. */
    times: z.int().min(1).optional(),
    /** More concurrent requests are refused with status 429. */
    capacity: z.int().min(1).optional(),
  })
  .refine(
    ({ reply: one, replies, capacity }) =>
      one !== undefined || replies !== undefined || capacity !== undefined,
    {
      message: 'needs `reply`, `replies` or `capacity`',
    },
  );

/**
 * The script of a mock model server. The first matching rule decides; without a match the server repeats the last
 * message.
 */
export const scriptSchema = z.strictObject({
  /** Other keys are refused with status 401. */
  apiKey: z.string().min(1).optional(),
  /** Other models are refused with status 404. */
  models: z.array(z.string().min(1)).optional(),
  rules: z.array(rule).default([]),
});

export type Script = z.input<typeof scriptSchema>;
export type Rule = z.infer<typeof rule>;
export type Reply = z.infer<typeof reply>;
