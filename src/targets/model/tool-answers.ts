import { MeasurementError } from '../../core/errors.ts';
import type { ToolSpec } from '../../core/target.ts';
import { isObject, type JsonValue } from '../../lib/json.ts';

/** What a call comes back with. */
export interface CallAnswer {
  readonly output: JsonValue;
  readonly failed: boolean;
  readonly isTerminating: boolean;
}

/**
 * What a tool answers. A call that no tool can take is the model's mistake, and told to it; a declared tool that
 * nothing answers is a hole in the test, and ends the trial.
 */
export function answerCall(
  { name, input }: { readonly name: string; readonly input: JsonValue },
  tools: readonly ToolSpec[],
): CallAnswer {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) {
    const known = tools.map((each) => each.name).join(', ');
    return refused('unknown_tool', `there is no tool ${name}; there are: ${known || 'none'}`);
  }
  if (!isObject(input)) return refused('invalid_arguments', 'the arguments are no JSON object');
  if (tool.terminating === true) return { output: {}, failed: false, isTerminating: true };
  throw new MeasurementError(`nothing answers the call ${name}(${JSON.stringify(input).slice(0, 500)})`, {
    stage: 'world',
    kind: 'mock-miss',
    hint: `the tool ${name} is declared, and has no mock that takes these arguments`,
  });
}

function refused(code: string, message: string): CallAnswer {
  return { output: { error: { code, message } }, failed: true, isTerminating: false };
}
