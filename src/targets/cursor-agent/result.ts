import type { Yielded } from '../../core/target.ts';
import { usageOf } from '../../core/usage.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { AgentFailure, Reading } from '../coding-agent/adapter.ts';
import { countAt, objectAt, textAt } from '../coding-agent/fields.ts';
import { saidFailure } from '../coding-agent/said-failure.ts';

/** The terminal event. */
export function readResult(event: JsonObject): Reading {
  const entries = usageEntries(objectAt(event, 'usage'));
  const text = textAt(event, 'result');
  if (event['is_error'] === false && event['subtype'] === 'success') {
    return { entries, terminal: { ok: true, ...given({ text }) } };
  }
  const message = text ?? textAt(event, 'error') ?? `ended with ${textAt(event, 'subtype') ?? 'an error'}`;
  return { entries, terminal: { ok: false, failure: knownFailure(message) ?? saidFailure(message) } };
}

/** Reads the failure from stderr of a program that ended without a result. */
export function failureInStderr(stderr: string): AgentFailure | undefined {
  return knownFailure(stderr.trim());
}

function knownFailure(message: string): AgentFailure | undefined {
  if (message.includes('Cannot use this model:')) return { kind: 'model-rejected', message };
  const isLogin = /\b(not logged in|authentication required|invalid api key)\b/i.test(message);
  return isLogin ? { kind: 'http-error', rejectsCredentials: true, message } : undefined;
}

/** Input excludes tokens read from and written to the cache. */
function usageEntries(usage: JsonObject): readonly Yielded[] {
  const input = countAt(usage, 'inputTokens');
  const output = countAt(usage, 'outputTokens');
  if (input === undefined || output === undefined) return [];
  const read = countAt(usage, 'cacheReadTokens');
  const written = countAt(usage, 'cacheWriteTokens');
  const tokens = usageOf(
    input + (read ?? 0) + (written ?? 0),
    output,
    given({ cacheReadTokens: read, cacheWriteTokens: written }),
  );
  return [{ type: 'usage', ...tokens }];
}
