import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { AgentFailure, Reading } from '../coding-agent/adapter.ts';
import { usageEntries, type UsageNames } from '../coding-agent/counted-usage.ts';
import { objectAt, textAt } from '../coding-agent/fields.ts';
import { failedTurn, loginFailure, saidFailure } from '../coding-agent/said-failure.ts';

export function readResult(event: JsonObject): Reading {
  const entries = usageEntries(objectAt(event, 'usage'), USAGE);
  const text = textAt(event, 'result');
  if (event['is_error'] === false && event['subtype'] === 'success') {
    return { entries, terminal: { ok: true, ...given({ text }) } };
  }
  const message = text ?? textAt(event, 'error') ?? `ended with ${textAt(event, 'subtype') ?? 'an error'}`;
  return { entries, ...failedTurn(knownFailure(message) ?? saidFailure(message)) };
}

/** The failure that a text of the program names, printed as its result or on stderr. */
export function knownFailure(message: string): AgentFailure | undefined {
  if (message.includes('Cannot use this model:')) return { kind: 'model-rejected', message };
  const isLogin = /\b(not logged in|authentication required|invalid api key)\b/i.test(message);
  return isLogin ? loginFailure(message) : undefined;
}

const USAGE: UsageNames = {
  input: 'inputTokens',
  output: 'outputTokens',
  read: 'cacheReadTokens',
  written: 'cacheWriteTokens',
  inputLacksCached: true,
};
