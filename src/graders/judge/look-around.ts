import { messageOf } from '../../core/errors.ts';
import type { Judge } from '../../core/judge.ts';
import type { ModelAnswer, ModelMessage, ModelToolCall, ModelToolResult } from '../../core/model.ts';
import type { Asking, OneRequest } from './ask-judge.ts';
import { fence } from './fence.ts';
import type { WorkspaceTools } from './workspace-tools.ts';
import { given } from '../../lib/given.ts';

export interface LookingAround {
  readonly judge: Judge;
  readonly tools: WorkspaceTools;
  readonly redact: (text: string) => string;
  /** The judge's answers to one question, including repeated ones. */
  readonly maxSteps: number;
}

/** Lets a judge use tools before it answers; results stay when it is asked again. */
export function lookAround(around: LookingAround): NonNullable<Asking['answering']> {
  const { judge, tools, maxSteps } = around;
  return (signal) => {
    const seen: ModelMessage[] = [];
    let steps = 0;
    return async ({ messages, nonce, place, count, show, isUsable }) => {
      const usable = isUsable && {
        isUsable: (answer: ModelAnswer) => answer.toolCalls.length > 0 || isUsable(answer),
      };
      for (;;) {
        const last = ++steps >= maxSteps;
        const asked = [...messages, ...seen, ...(last ? [enough] : [])];
        const answer = await judge.ask({ messages: asked, tools: tools.specs, ...place, ...usable }, signal);
        if (last || answer.toolCalls.length === 0) return answer;
        count(answer);
        seen.push(spoken(answer), await resultsOf(answer.toolCalls, around, { nonce, show }));
      }
    };
  };
}

const enough: ModelMessage = {
  role: 'user',
  parts: [{ text: 'You have looked enough: no more tools. Answer now with the one JSON object.' }],
};

function spoken({ text, toolCalls, echo }: ModelAnswer): ModelMessage {
  return { role: 'assistant', text, toolCalls, ...given({ echo }) };
}

async function resultsOf(
  calls: readonly ModelToolCall[],
  { tools, redact }: LookingAround,
  { nonce, show }: Pick<OneRequest, 'nonce' | 'show'>,
): Promise<ModelMessage> {
  const results: ModelToolResult[] = [];
  for (const { callId, name, input } of calls) {
    try {
      const json = redact(JSON.stringify(await tools.call(name, input)));
      const value = JSON.parse(json) as never;
      show(json);
      results.push({ callId, name, output: fence([{ label: 'tool result', value }], nonce) });
    } catch (error) {
      const message =
        error instanceof SyntaxError ? 'the result could not be displayed' : firstLine(messageOf(error));
      results.push({ callId, name, output: message, failed: true });
    }
  }
  return { role: 'tool', results };
}

/** Invalid arguments are reported as a list of issues, one per line. */
function firstLine(message: string): string {
  return message.startsWith('[') ? 'the arguments do not match the parameters of the tool' : message;
}
