import type { Yielded } from '../../core/target.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { AgentFailure, Reading } from '../coding-agent/adapter.ts';
import { countedUsage, type UsageNames } from '../coding-agent/counted-usage.ts';
import { objectAt, textAt } from '../coding-agent/fields.ts';
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

function usageEntries(report: JsonObject): readonly Yielded[] {
  const usage = countedUsage(report, USAGE);
  return usage === undefined ? [] : [{ type: 'usage', ...usage }];
}

const USAGE: UsageNames = {
  input: 'inputTokens',
  output: 'outputTokens',
  read: 'cacheReadTokens',
  written: 'cacheWriteTokens',
  inputLacksCached: true,
};
