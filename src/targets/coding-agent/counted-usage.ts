import type { Yielded } from '../../core/target.ts';
import { usageOf, type Usage } from '../../core/usage.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import { countAt } from './fields.ts';

/** The names under which an agent reports tokens. */
export interface UsageNames {
  readonly input: string;
  readonly output: string;
  readonly read?: string;
  readonly written?: string;
  readonly reasoning?: string;
  /** Its input has no tokens read from and written to the cache. */
  readonly inputLacksCached?: true;
  readonly outputLacksReasoning?: true;
}

/** The entry with the tokens of a report. */
export function usageEntries(report: JsonObject, names: UsageNames): readonly Yielded[] {
  const usage = countedUsage(report, names);
  return usage === undefined ? [] : [{ type: 'usage', ...usage }];
}

/** The tokens of a report; undefined if it lacks input or output. */
export function countedUsage(report: JsonObject, names: UsageNames): Usage | undefined {
  const count = (name = '') => countAt(report, name);
  const input = count(names.input);
  const output = count(names.output);
  if (input === undefined || output === undefined) return undefined;
  const [read, written, reasoning] = [count(names.read), count(names.written), count(names.reasoning)];
  const cached = names.inputLacksCached === true ? (read ?? 0) + (written ?? 0) : 0;
  const thought = names.outputLacksReasoning === true ? (reasoning ?? 0) : 0;
  const parts = given({ cacheReadTokens: read, cacheWriteTokens: written, reasoningTokens: reasoning });
  return usageOf(input + cached, output + thought, parts);
}
