import * as z from 'zod';

import type { TurnEnd, Yielded } from '../../core/target.ts';
import { MOST_COUNT, usageOf } from '../../core/usage.ts';
import { isObject } from '../../lib/json.ts';
import { parseForeignJson, TooDeep } from '../../lib/text/json-depth.ts';
import { contractBroken } from '../target-errors.ts';
import { jsonValue } from '../../lib/text/json-value.ts';

/** One line of a stream: an entry, the end of the conversation, or an ignored line. */
export type EntryLine =
  | { readonly entry: Yielded }
  | { readonly ended: NonNullable<TurnEnd['ended']> }
  | undefined;

/**
 * Parses a line of `stream: jsonl`: a transcript entry as in a report, or `{"type":"end","reason"?}`. `id`, `turn`,
 * unknown keys and messages of other roles are ignored.
 */
export function readEntryLine(line: string, number: number): EntryLine {
  if (line.trim() === '') return undefined;
  const parsed = entryLine.safeParse(inOurSpelling(parseJson(line, number)));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const at = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
    throw wrong(number, `is not a transcript entry${at}: ${issue?.message ?? 'unknown form'}`);
  }
  const body = parsed.data;
  if (body.type === 'end') return { ended: body.reason === undefined ? {} : { reason: body.reason } };
  if (body.type === 'usage') {
    const { inputTokens, outputTokens, totalTokens: _sum, ...rest } = body;
    if (inputTokens === undefined || outputTokens === undefined) {
      if (inputTokens === outputTokens && rest.costUsd !== undefined) return { entry: rest as Yielded };
      throw wrong(number, 'is a usage entry without inputTokens and outputTokens, and without costUsd');
    }
    return { entry: { ...rest, ...usageOf(inputTokens, outputTokens) } as Yielded };
  }
  if (body.type === 'message' && body.role !== 'assistant') return undefined;
  return { entry: body as Yielded };
}

/** Key names of JSON answers, reports and APIs of models. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['input_tokens', 'inputTokens'],
  ['output_tokens', 'outputTokens'],
  ['cached', 'cacheReadTokens'],
  ['cache_read_tokens', 'cacheReadTokens'],
  ['cache_write_tokens', 'cacheWriteTokens'],
  ['reasoning_tokens', 'reasoningTokens'],
  ['total_tokens', 'totalTokens'],
  ['cost_usd', 'costUsd'],
  ['call_id', 'callId'],
  ['parent_call_id', 'parentCallId'],
  ['duration_ms', 'durationMs'],
]);

/** `input` and `output` mean tokens only in a usage entry. */
const OF_USAGE: ReadonlyMap<string, string> = new Map([
  ...ALIASES,
  ['input', 'inputTokens'],
  ['output', 'outputTokens'],
]);

function inOurSpelling(line: unknown): unknown {
  if (!isObject(line)) return line;
  const aliases = line['type'] === 'usage' ? OF_USAGE : ALIASES;
  const entries = Object.entries(line).filter(([key]) => !Object.hasOwn(line, aliases.get(key) ?? ''));
  return Object.fromEntries(entries.map(([key, value]) => [aliases.get(key) ?? key, value]));
}

function parseJson(line: string, number: number): unknown {
  try {
    return parseForeignJson(line);
  } catch (error) {
    if (error instanceof TooDeep) throw error;
    throw wrong(number, `is not JSON: ${line.slice(0, 200)}`);
  }
}

function wrong(number: number, what: string): Error {
  return contractBroken(`line ${number} of the program's stdout ${what}`, {
    hint: 'with `stream: jsonl` every line must be a transcript entry; print everything else to stderr',
  });
}

const tokens = z.lazy(() => z.number().int().min(0).max(MOST_COUNT));
const place = () => ({ at: z.iso.datetime().optional(), step: z.number().int().min(0).optional() });

const part = z.lazy(() =>
  z.union([
    z.strictObject({ text: z.string() }),
    z.strictObject({ json: jsonValue() }),
    z.strictObject({ file: z.string() }),
    z.strictObject({ image: z.string() }),
  ]),
);

const effect = z.lazy(() =>
  z.union([
    z.strictObject({ command: z.string() }),
    z.strictObject({ fileRead: z.string() }),
    z.strictObject({ fileWrite: z.string() }),
    z.strictObject({
      skillUse: z.string(),
      confidence: z.enum(['explicit', 'strong', 'medium', 'weak']),
      evidence: z.string(),
    }),
  ]),
);

const entryLine = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('message'),
      role: z.enum(['system', 'user', 'assistant']).default('assistant'),
      phase: z.enum(['thinking', 'commentary', 'final']).optional(),
      parts: z.array(part),
      ...place(),
    }),
    z.object({
      type: z.literal('tool-call'),
      callId: z.string().min(1),
      name: z.string().min(1),
      input: jsonValue().default({}),
      parentCallId: z.string().optional(),
      effects: z.array(effect).optional(),
      ...place(),
    }),
    z.object({
      type: z.literal('tool-result'),
      callId: z.string().min(1),
      output: jsonValue(),
      failed: z.boolean().optional(),
      durationMs: z.number().min(0).max(MOST_COUNT).optional(),
      ...place(),
    }),
    z.object({
      type: z.literal('usage'),
      inputTokens: tokens.optional(),
      outputTokens: tokens.optional(),
      totalTokens: tokens.optional(),
      cacheReadTokens: tokens.optional(),
      cacheWriteTokens: tokens.optional(),
      reasoningTokens: tokens.optional(),
      model: z.string().optional(),
      costUsd: z.number().min(0).max(MOST_COUNT).optional(),
      auxiliary: z.boolean().optional(),
      ...place(),
    }),
    z.object({ type: z.literal('end'), reason: z.string().optional() }),
  ]),
);
