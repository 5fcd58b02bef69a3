import { toolCalls, type ToolCallEntry, type Transcript } from '../core/transcript.ts';
import { isObject, jsonEqual, valueAt } from '../lib/json.ts';
import { shown } from './excerpt.ts';
import { pathKeys } from './json-path.ts';
import { matcherOf, matcherText } from './text-matcher.ts';
import { jsonMapping } from '../lib/text/json-value.ts';

/** Keys of an expected tool call. */
export const callKeys = {
  tool: matcherText.describe('Name of the tool, or a /pattern/ of it.'),
  args: jsonMapping().optional().describe('Arguments of the call. Default: any.'),
} as const;

export interface CallSpec {
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>> | undefined;
}

/** How the arguments of a call are compared with those listed; a list names the only ones that are compared. */
export type ArgsMatch = 'exact' | 'superset' | 'subset' | 'ignore' | readonly string[];

/** A tool call that happened. */
export interface ObservedCall {
  readonly call: ToolCallEntry;
  readonly turn: number;
  /** Undefined when the call got no result. */
  readonly end?: { readonly durationMs: number | undefined };
}

/** The tool calls of a transcript, with what is known of their time. */
export function observedCalls(transcript: Transcript): readonly ObservedCall[] {
  return toolCalls(transcript).map(({ call, result }) => {
    if (result === undefined) return { call, turn: call.turn };
    // Entries that an adapter yields together have one time, which says nothing about the call.
    const betweenMs = Date.parse(result.at) - Date.parse(call.at);
    return {
      call,
      turn: call.turn,
      end: { durationMs: result.durationMs ?? (betweenMs > 0 ? betweenMs : undefined) },
    };
  });
}

/** Whether a call is the one that is specified. */
export function callMatcher(spec: CallSpec, mode: ArgsMatch): (call: ToolCallEntry) => boolean {
  const isTool = matcherOf(spec.tool, 'equals');
  return ({ name, input }) => isTool(name) && argsMatch(spec.args, input, mode);
}

/** `tool {arguments}`, cut. */
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
