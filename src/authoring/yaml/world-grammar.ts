import * as z from 'zod';

import type { ProblemCode } from '../../core/error-code.ts';
import { freeMapping } from './grammar-parts.ts';
import { LONGEST_TIME_MS, TOO_LONG_A_TIME } from '../../lib/time/time-limit.ts';

const name = z.string().regex(/\S/, 'must not be blank');
const count = z.number().int().positive();

/** A tool that the target is offered and that mocks answer. */
const tool = z.strictObject({
  name: name.describe('Name of the tool, as the agent calls it.'),
  description: z.string().optional().describe('Description for the agent.'),
  parameters: freeMapping.optional().describe('JSON Schema of the arguments of the tool.'),
  terminating: z.boolean().optional().describe('Calling it ends the conversation; it needs no mock.'),
});

/** A prepared answer to calls of a tool. */
export const mock = z
  .strictObject({
    tool: name.describe('Name of the tool.'),
    match: z
      .enum(['partial', 'exact', 'any'])
      .optional()
      .describe('How `params` are compared. Default: partial with `params`, any without.'),
    params: freeMapping.optional().describe('Arguments of the calls that this mock answers.'),
    times: count
      .nullable()
      .optional()
      .describe('Number of calls that this mock answers. Default: unlimited.'),
    result: z.unknown().optional().describe('The answer.'),
    error: z
      .strictObject({
        code: name.describe('Code of the error.'),
        message: z.string().describe('Text of the error.'),
      })
      .optional()
      .describe('Error that the tool returns.'),
    handler: name.optional().describe('Tool of a registered world module that answers the call.'),
  })
  .superRefine((value, context) => {
    const refuse = (message: string, path: string[] = []): void =>
      context.addIssue({ code: 'custom', message, path });
    const answers = ['result', 'error', 'handler'].filter((key) => Object.hasOwn(value, key));
    if (answers.length !== 1) refuse('a mock needs exactly one of `result`, `error` and `handler`');
    if (value.match === 'any' && value.params !== undefined) {
      refuse('`match: any` cannot have `params`', ['params']);
    }
    if (value.match !== undefined && value.match !== 'any' && value.params === undefined) {
      refuse(`\`match: ${value.match}\` needs \`params\``);
    }
  });

/** A planned misbehaviour of a tool. */
export const plannedFault = z
  .strictObject({
    tool: name.describe('Name of the tool.'),
    kind: z
      .enum(['timeout', 'http-5xx', 'malformed', 'slow'])
      .describe(
        'timeout: delayed, then failed. http-5xx: refused. malformed: answered with broken JSON. slow: answered late.',
      ),
    delay_ms: z
      .number()
      .int()
      .min(0)
      .max(LONGEST_TIME_MS, TOO_LONG_A_TIME)
      .optional()
      .describe('Delay of `timeout` and `slow` in milliseconds. Default: 30000.'),
    on_call: count.optional().describe('Which call of this tool is affected: 1 is the first.'),
    probability: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('Probability per call, drawn with the seed of the run.'),
  })
  .superRefine((value, context) => {
    const refuse = (message: string): void => context.addIssue({ code: 'custom', message });
    if ((value.on_call === undefined) === (value.probability === undefined)) {
      refuse('a fault needs either `on_call` or `probability`');
    }
    if (value.delay_ms !== undefined && value.kind !== 'timeout' && value.kind !== 'slow') {
      refuse(`a fault of kind ${value.kind} cannot have \`delay_ms\``);
    }
  });

export function eachToolOnce(list: readonly { readonly name: string }[], context: z.RefinementCtx): void {
  const names = new Set<string>();
  for (const [index, { name: listed }] of list.entries()) {
    if (names.has(listed)) {
      const message = `duplicate tool "${listed}"`;
      context.addIssue({
        code: 'custom',
        path: [index, 'name'],
        message,
        params: { code: 'duplicate-tool' satisfies ProblemCode },
      });
    }
    names.add(listed);
  }
}

export const tools = z.array(tool).superRefine(eachToolOnce);
export const mocks = z.array(mock);
export const plannedFaults = z.array(plannedFault);

export type MockGrammar = z.infer<typeof mock>;
export type PlannedFaultGrammar = z.infer<typeof plannedFault>;
