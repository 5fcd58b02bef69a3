import * as z from 'zod';

import { partsOf, type Part } from '../core/message.ts';
import type { TargetPlugin } from '../core/plugin.ts';
import type { Session, World, Yielded } from '../core/target.ts';
import type { JsonValue } from '../lib/json.ts';
import { pause } from '../lib/time/clock.ts';
import { unavailable } from './target-errors.ts';
import { LONGEST_TIME_MS, TOO_LONG_A_TIME } from '../lib/time/time-limit.ts';
import { jsonMapping, jsonValue, recordOf } from '../lib/text/json-value.ts';

const answer = z.lazy(() => z.union([z.string(), jsonMapping()]));
const answers = z.lazy(() => z.union([answer, z.array(answer).min(1)]));
const ANSWERS_SHAPE = { type: ['string', 'object', 'array'] };

const config = z.lazy(() =>
  z
    .strictObject({
      response: answers
        .optional()
        .describe('The answer, or a list with one answer per turn; the last one is repeated.'),
      responses: recordOf(answers, ANSWERS_SHAPE)
        .optional()
        .describe('Answers by test id; they override `response`.'),
      delayMs: z
        .number()
        .min(0)
        .max(LONGEST_TIME_MS, TOO_LONG_A_TIME)
        .optional()
        .describe('Delay before every answer in milliseconds.'),
      toolCalls: z
        .array(
          z.strictObject({
            name: z.string().min(1).describe('Name of the tool.'),
            input: jsonValue().default({}).describe('Arguments of the call.'),
            output: jsonValue().optional().describe('Result of the call.'),
          }),
        )
        .optional()
        .describe('Tool calls before every answer.'),
    })
    .refine((value) => value.response !== undefined || value.responses !== undefined, {
      message: 'needs `response`, or `responses` by test id',
    }),
);

export type MockConfig = z.infer<typeof config>;

/** Fixed or scripted answers, for trying a suite and for tests. */
export const mock: TargetPlugin<MockConfig> = {
  type: 'mock',
  isFree: true,
  version: 1,
  summary: 'fixed or scripted answers, for trying a suite',
  config,
  tellsToolCalls: () => true,
  create: (settings, { name }) => ({
    open: async (world) => openMock(settings, name, world),
  }),
};

function openMock(settings: MockConfig, name: string, world: World): Session {
  const calls = settings.toolCalls ?? [];
  let turn = 0;
  return {
    async *respond(_message, signal) {
      const parts = answerOf(settings, name, { caseId: world.trial.caseId, turn });
      if (settings.delayMs) await pause(settings.delayMs, signal);
      signal.throwIfAborted();
      turn += 1;
      for (const [i, call] of calls.entries()) yield* callEntries(call, `call-${turn}-${i + 1}`);
      yield { type: 'message', role: 'assistant', parts };
      return {};
    },
    async [Symbol.asyncDispose]() {},
  };
}

function answerOf(settings: MockConfig, name: string, at: { caseId: string; turn: number }): readonly Part[] {
  const { response, responses } = settings;
  const own =
    responses !== undefined && Object.hasOwn(responses, at.caseId) ? responses[at.caseId] : undefined;
  const given = own ?? response;
  if (given === undefined) {
    throw unavailable(`the mock target ${name} has no response for the test ${JSON.stringify(at.caseId)}`, {
      hint: `add it to targets.${name}.responses, or give a default in targets.${name}.response`,
    });
  }
  return partsOf(Array.isArray(given) ? (given[at.turn] ?? given.at(-1)) : given);
}

function* callEntries(
  call: { readonly name: string; readonly input: JsonValue; readonly output?: JsonValue | undefined },
  callId: string,
): Generator<Yielded> {
  yield { type: 'tool-call', callId, name: call.name, input: call.input };
  if (call.output !== undefined) yield { type: 'tool-result', callId, output: call.output };
}
