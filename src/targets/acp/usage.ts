import { addUsage, usageOf, type Usage } from '../../core/usage.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import { countAt } from '../coding-agent/fields.ts';

/** Converts token counts of the protocol. Their total shows which counts overlap; without a total that is unknown. */
export function acpUsage(counts: JsonObject): Usage | undefined {
  const input = countAt(counts, 'inputTokens');
  const output = countAt(counts, 'outputTokens');
  const total = countAt(counts, 'totalTokens');
  if (input === undefined || output === undefined || total === undefined || total === 0) return undefined;
  const read = countAt(counts, 'cachedReadTokens');
  const written = countAt(counts, 'cachedWriteTokens');
  const thought = countAt(counts, 'thoughtTokens');
  const cached = (read ?? 0) + (written ?? 0);
  const fitting = [
    [input, output],
    [input + cached, output],
    [input, output + (thought ?? 0)],
    [input + cached, output + (thought ?? 0)],
  ].find(([all = 0, supplied = 0]) => all + supplied === total);
  const [allInput, allOutput] = fitting ?? [];
  if (allInput === undefined || allOutput === undefined) return undefined;
  return usageOf(
    allInput,
    allOutput,
    given({ cacheReadTokens: read, cacheWriteTokens: written, reasoningTokens: thought }),
  );
}

export function sumOf(left: Usage | undefined, right: Usage | undefined): Usage | undefined {
  return right === undefined ? left : addUsage(left, right);
}
