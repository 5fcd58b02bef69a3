import { MeasurementError } from '../core/errors.ts';
import type { ToolAnswer, ToolCall } from '../core/target.ts';
import type { ToolSpec } from '../core/tools.ts';
import type { ToolMock } from '../core/test-case.ts';
import { isObject, type JsonObject, type JsonValue } from '../lib/json.ts';
import type { HandledAnswer } from './stateful-tools.ts';
import type { NearMock } from './mock-shelf.ts';

/** The usual answer of a tool that failed. */
export function toolError(code: string, message: string, more: JsonObject = {}): ToolAnswer {
  return { output: { error: { code, message, ...more } }, failed: true };
}

export function unknownTool(name: string, tools: readonly ToolSpec[]): ToolAnswer {
  const known = tools.map((tool) => tool.name).join(', ');
  return toolError('unknown_tool', `unknown tool ${name}; known tools: ${known || 'none'}`);
}

export function wrongArguments(input: JsonValue, faults: readonly string[]): ToolAnswer {
  const why = isObject(input) ? faults.slice(0, 5).join('; ') : 'expected a JSON object';
  return toolError('invalid_arguments', `invalid arguments: ${why}`);
}

export function answerOf(said: Exclude<ToolMock['answer'], { handler: string }> | HandledAnswer): ToolAnswer {
  return 'error' in said ? toolError(said.error.code, said.error.message) : { output: said.result };
}

/** A missing mock: the behaviour of the agent after it could not be measured. */
export function missOf({ name, input }: ToolCall, nearest: readonly NearMock[]): MeasurementError {
  const call = `${name}(${JSON.stringify(input).slice(0, 500)})`;
  const near = nearest.map(({ position, paths }) => `mock ${position} ${whyNot(paths)}`).join(', ');
  const told = nearest.length === 0 ? `no mock answers the tool ${name}` : `nearest: ${near}`;
  return new MeasurementError(`no mock matches the call ${call}; ${told}`, {
    stage: 'world',
    kind: 'mock-miss',
    hint: 'add a mock for this call; a last mock with `match: any` answers all other calls',
  });
}

function whyNot(paths: readonly string[]): string {
  if (paths.length === 0) return 'is used up';
  if (paths[0] === '') return 'expects a mapping';
  const shown = paths.slice(0, 5).join(', ');
  return `differs at ${paths.length > 5 ? `${shown} and ${paths.length - 5} more` : shown}`;
}
