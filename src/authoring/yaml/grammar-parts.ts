import * as z from 'zod';

import type { ProblemCode } from '../../core/error-code.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { timeLimitMs } from '../../lib/time/time-limit.ts';
import { textMapping } from '../../lib/text/json-value.ts';

/** A mapping of the author's own, passed on unchanged. */
export const freeMapping = z
  .custom<JsonObject>(isObject, {
    error: 'expected a mapping',
    params: { expected: 'a mapping' },
  })
  .meta({ type: 'object' });

/** Content that is passed as JSON: a mapping that is not a message. */
const payload = z
  .custom<JsonObject>((value) => isObject(value) && !Object.hasOwn(value, 'role'), {
    error: 'expected a mapping without `role`',
    params: { expected: 'a mapping' },
  })
  .meta({ type: 'object', not: { required: ['role'] } });

const part = z.strictObject({
  type: z.enum(['text', 'file', 'image']).describe('The kind of `value`.'),
  value: z.string().describe('The text, or the path of the file or image, relative to this file.'),
});

const toolCall = z.strictObject({
  tool: z.string().describe('Name of the tool.'),
  input: z.unknown().optional().describe('Arguments of the call.'),
  output: z.unknown().optional().describe('Answer of the tool.'),
  id: z.string().optional().describe('Id of the call, if an answer refers to it.'),
  duration_ms: z.number().min(0).optional().describe('Duration of the call in milliseconds.'),
});

const message = z
  .strictObject({
    role: z.enum(['system', 'user', 'assistant', 'tool']).describe('Who speaks.'),
    content: z
      .union([z.string(), z.array(part), freeMapping])
      .optional()
      .describe('A text, a list of parts, or a mapping that is passed as JSON.'),
    name: z.string().optional().describe('Name of the speaker.'),
    tool_calls: z.array(toolCall).optional().describe('Tools that the assistant called in this message.'),
  })
  .refine((value) => value.content !== undefined || value.tool_calls !== undefined, {
    error: '`content` is missing',
    params: { code: 'missing-key' satisfies ProblemCode },
  });

/** The value of `input` and `expected_output`. */
export const messages = z.union([z.string(), payload, message, z.array(message)]);

/** Limits of one trial; null switches a limit off. */
export const limits = z.strictObject({
  timeout_ms: timeLimitMs().nullable().optional().describe('Time limit of the session in milliseconds.'),
  max_turns: z
    .number()
    .int()
    .positive()
    .nullable()
    .optional()
    .describe('Maximum turns of the target. Reaching it ends the conversation without an error.'),
  max_steps: z.number().int().positive().nullable().optional().describe('Maximum steps of the target.'),
  max_tokens: z.number().int().positive().nullable().optional().describe('Maximum tokens of the target.'),
  max_cost_usd: z.number().positive().nullable().optional().describe('Maximum cost of the target in USD.'),
});

const script = z.strictObject(
  {
    script: z
      .array(z.string(), {
        error: (issue) =>
          typeof issue.input === 'string'
            ? `expected a list of arguments, because no shell is used: ${asList(issue.input)}`
            : undefined,
      })
      .min(1)
      .describe('Program and arguments; run without a shell.'),
    timeout_ms: timeLimitMs().optional().describe('In milliseconds.'),
    cwd: z.string().optional().describe('Working directory. Default: the folder of this file.'),
    env: textMapping().optional().describe('Environment variables to add.'),
  },
  {
    error: ({ code, input }) =>
      code === 'invalid_type' && (typeof input === 'string' || Array.isArray(input))
        ? `expected the arguments under \`script\`: { script: ${asList(input)} }`
        : undefined,
  },
);

/** The directory a trial works in. */
export const workspace = z.strictObject({
  template: z
    .string()
    .optional()
    .describe('Folder that is copied into the workspace, including dotfiles and .git.'),
  setup: script.optional().describe('Runs before the agent.'),
  teardown: script.optional().describe('Runs after the graders, whatever the result.'),
  keep: z
    .enum(['always', 'never', 'on-failure'])
    .optional()
    .describe('Whether the directory is kept afterwards.'),
  restore: z
    .array(z.string())
    .optional()
    .describe('Globs of template files that are restored before grading.'),
});

export type MessagesGrammar = z.infer<typeof messages>;
export type MessageGrammar = z.infer<typeof message>;
export type WorkspaceGrammar = z.infer<typeof workspace>;
export type ScriptGrammar = z.infer<typeof script>;

function asList(command: string | readonly unknown[]): string {
  const words = typeof command === 'string' ? command.trim().split(/\s+/) : command.map(String);
  return `[${words.join(', ')}]`;
}
