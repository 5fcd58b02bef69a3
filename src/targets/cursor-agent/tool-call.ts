import type { Yielded } from '../../core/target.ts';
import type { Effect } from '../../core/transcript.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import type { ParserContext, ToolTable } from '../coding-agent/adapter.ts';
import { toolCall, toolResult } from '../coding-agent/entries.ts';
import { objectAt, textAt } from '../coding-agent/fields.ts';

/** The collected events of one call. */
export interface CursorCall {
  readonly callId: string;
  readonly step: number;
  readonly name: string;
  /** Values of start and end together. */
  readonly input: JsonObject;
  readonly at?: string;
}

/** Common names and arguments for the program's own, from which effects are derived. */
export const CURSOR_TOOLS: ToolTable = {
  shell: { shell: 'command' },
  read: { read: 'path' },
  write: { write: 'path' },
  skill: { skill: 'name' },
};

/** The mapping with name, arguments and result, such as `readToolCall`. */
export function calledTool(event: JsonObject): { readonly name: string; readonly body: JsonObject } {
  const call = objectAt(event, 'tool_call');
  const key = Object.keys(call).find((each) => each.endsWith('ToolCall')) ?? Object.keys(call)[0] ?? '';
  const name = key.replace(/ToolCall$/, '').replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `-${letter}`);
  return { name: name.toLowerCase(), body: objectAt(call, key) };
}

/** Values that are not empty win: an argument that is empty at the end was set at the start. */
export function mergedInput(before: JsonObject, later: JsonObject): JsonObject {
  return { ...before, ...Object.fromEntries(Object.entries(later).filter(([, value]) => value !== '')) };
}

export function callEntry({ callId, name, input, step, at }: CursorCall, context: ParserContext): Yielded {
  const effects = effectsOf({ name, input }, context);
  return toolCall({ callId, name, input, effects }, { step, ...given({ at }) });
}

export function resultEntry(callId: string, result: JsonObject): Yielded {
  const success = objectAt(result, 'success');
  const isRefused = result['rejected'] !== undefined || result['error'] !== undefined;
  const exitCode = success['exitCode'] ?? result['exitCode'];
  const isExit = typeof exitCode === 'number' && exitCode !== 0;
  const output = isRefused ? (result['error'] ?? result['rejected']) : outputOf(success);
  return toolResult({ callId, output: output ?? '', hasFailed: isRefused || isExit });
}

function effectsOf(
  { name, input }: Pick<CursorCall, 'name' | 'input'>,
  context: ParserContext,
): readonly Effect[] {
  const directory = textAt(input, 'workingDirectory') ?? textAt(input, 'cwd') ?? '';
  const path = textAt(input, 'path') ?? textAt(input, 'filePath') ?? textAt(input, 'file_path') ?? '';
  const tell = (tool: string, said: JsonObject) => context.effectsOf({ name: tool, input: said, directory });
  if (name === 'shell') return tell('shell', { command: textAt(input, 'command') ?? '' });
  if (name.includes('skill'))
    return tell('skill', { name: textAt(input, 'name') ?? textAt(input, 'skill') ?? '' });
  if (name.includes('read')) return tell('read', { path });
  return /write|edit/.test(name) ? tell('write', { path }) : [];
}

function outputOf(success: JsonObject): JsonValue {
  const streams = [textAt(success, 'stdout'), textAt(success, 'stderr')].filter((text) => text !== undefined);
  return streams.length > 0 ? streams.join('\n') : (textAt(success, 'content') ?? success);
}
