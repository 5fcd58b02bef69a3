import type { Effect, TranscriptEntry } from '../core/transcript.ts';
import type { Usage } from '../core/usage.ts';
import { given } from '../lib/given.ts';
import type { JsonObject } from '../lib/json.ts';

/** A transcript entry with our keys in snake_case; inputs and outputs of tools are unchanged. */
export function snakeEntry(entry: TranscriptEntry): JsonObject {
  const { id, at, turn, step, type } = entry;
  return { id, at, turn, ...given({ step }), type, ...bodyOf(entry) };
}

/** Token counts with our keys in snake_case. */
export function snakeUsage(usage: Partial<Usage>): JsonObject {
  return given({
    input_tokens: usage.inputTokens,
    cache_read_tokens: usage.cacheReadTokens,
    cache_write_tokens: usage.cacheWriteTokens,
    output_tokens: usage.outputTokens,
    reasoning_tokens: usage.reasoningTokens,
    total_tokens: usage.totalTokens,
  });
}

function bodyOf(entry: TranscriptEntry): JsonObject {
  switch (entry.type) {
    case 'message':
      return given({ role: entry.role, phase: entry.phase, parts: entry.parts });
    case 'tool-call':
      return given({
        call_id: entry.callId,
        name: entry.name,
        input: entry.input,
        parent_call_id: entry.parentCallId,
        effects: entry.effects?.map(snakeEffect),
      });
    case 'tool-result':
      return given({
        call_id: entry.callId,
        output: entry.output,
        failed: entry.failed,
        fault: entry.fault,
        duration_ms: entry.durationMs,
      });
    case 'usage': {
      const { model, costUsd, auxiliary } = entry;
      return { ...given({ model }), ...snakeUsage(entry), ...given({ cost_usd: costUsd, auxiliary }) };
    }
    default:
      return entry satisfies never;
  }
}

function snakeEffect(effect: Effect): JsonObject {
  if ('fileRead' in effect) return { file_read: effect.fileRead };
  if ('fileWrite' in effect) return { file_write: effect.fileWrite };
  if ('skillUse' in effect) {
    return { skill_use: effect.skillUse, confidence: effect.confidence, evidence: effect.evidence };
  }
  return { command: effect.command };
}
