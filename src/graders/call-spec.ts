import { toolCalls, type ToolCallEntry, type Transcript } from '../core/transcript.ts';
import { isObject, jsonEqual, valueAt } from '../lib/json.ts';
import { shown } from './excerpt.ts';
import { pathKeys } from './json-path.ts';
import { matcherOf, matcherText } from './text-matcher.ts';
import { jsonMapping } from '../lib/text/json-value.ts';

export const callKeys = {
  tool: matcherText.describe('Name of the tool, or a /pattern/ for it.'),
  args: jsonMapping().optional().describe('Arguments of the call. Default: any.'),
} as const;

export interface CallSpec {
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>> | undefined;
}

/** How arguments are compared with the listed ones; a list names the only arguments to compare. */
export type ArgsMatch = 'exact' | 'superset' | 'subset' | 'ignore' | readonly string[];

/** A tool call of the transcript. */
export interface ObservedCall {
  readonly call: ToolCallEntry;
  readonly turn: number;
  /** Undefined when the call has no result. */
  readonly end?: { readonly durationMs: number | undefined };
}

/** The tool calls of a transcript, with their known times. */
export function observedCalls(transcript: Transcript): readonly ObservedCall[] {
  return toolCalls(transcript).map(({ call, result }) => {
    if (result === undefined) return { call, turn: call.turn };
    // Entries that an adapter yields together have the same time, which does not measure the call.
    const betweenMs = Date.parse(result.at) - Date.parse(call.at);
    return {
      call,
      turn: call.turn,
      end: { durationMs: result.durationMs ?? (betweenMs > 0 ? betweenMs : undefined) },
    };
  });
}

export function callMatcher(spec: CallSpec, mode: ArgsMatch): (call: ToolCallEntry) => boolean {
  const isTool = matcherOf(spec.tool, 'equals');
  return ({ name, input }) => isTool(name) && argsMatch(spec.args, input, mode);
}

/** `tool {arguments}`, shortened. */
export function callShown(tool: string, args: unknown): string {
  return args === undefined ? tool : `${tool} ${shown(args, 80)}`;
}

function argsMatch(expected: CallSpec['args'], input: unknown, mode: ArgsMatch): boolean {
  if (expected === undefined || mode === 'ignore') return true;
  if (!isObject(input)) return false;
  if (typeof mode !== 'string') {
    return mode.every((field) => {
      const keys = pathKeys(field) ?? [field];
      return jsonEqual(valueAt(expected, keys), valueAt(input, keys));
    });
  }
  switch (mode) {
    case 'exact':
      return jsonEqual(expected, input);
    case 'superset':
      return holds(input, expected);
    case 'subset':
      return holds(expected, input);
    default:
      return mode satisfies never;
  }
}

/** Whether every key of `part` is in `whole` with an equal value. */
function holds(whole: Readonly<Record<string, unknown>>, part: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(part).every((key) => Object.hasOwn(whole, key) && jsonEqual(part[key], whole[key]));
}
