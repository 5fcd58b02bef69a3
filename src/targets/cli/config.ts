import * as z from 'zod';

import { placeholdersIn, unknownPlaceholders } from './command-template.ts';
import { misplacedPlaceholders } from './placeholder-places.ts';
import { misplacedVariables } from './variable-places.ts';
import { timeLimitMs } from '../../lib/time/time-limit.ts';
import { promptRole } from '../given-prompt.ts';

const MEBIBYTE = 2 ** 20;

const argumentList = z.lazy(() => z.array(z.string()).min(1));
const plainCommand = z.lazy(() => z.union([argumentList, z.string().min(1)]));

const command = plainCommand.superRefine((value, context) => {
  const texts = typeof value === 'string' ? [value] : value;
  for (const [i, text] of texts.entries()) {
    const path = typeof value === 'string' ? [] : [i];
    for (const message of unknownPlaceholders(text)) context.addIssue({ code: 'custom', message, path });
  }
  for (const { argument, message } of [...misplacedPlaceholders(value), ...misplacedVariables(value)])
    context.addIssue({ code: 'custom', message, path: argument === undefined ? [] : [argument] });
});

const checkCommand = plainCommand.superRefine((value, context) => {
  const texts = typeof value === 'string' ? [value] : value;
  for (const { name } of texts.flatMap(placeholdersIn)) {
    const message = `{${name}} is not available in a healthcheck, which runs once before the first trial`;
    context.addIssue({ code: 'custom', message });
  }
});

const healthcheck = z.lazy(() =>
  z
    .strictObject({
      url: z.string().min(1).optional().describe('URL that must answer with a 2xx status.'),
      command: checkCommand.optional().describe('Command that must exit with 0.'),
      timeoutMs: timeLimitMs().default(10_000).describe('Time limit of the check in milliseconds.'),
    })
    .refine((value) => (value.url === undefined) !== (value.command === undefined), {
      message: 'a healthcheck needs either `url` or `command`',
    }),
);

export const cliConfig = z.lazy(() =>
  z.strictObject({
    command: command.describe(
      'Either a list (the program and its arguments), or a shell command. Placeholders: {PROMPT} {PROMPT_FILE} {FILES} {OUTPUT_FILE} {TEST_ID} {ATTEMPT} {WORKSPACE} {MESSAGES_FILE} {MCP_CONFIG}. In a shell command, do not put a placeholder inside quotes, `$(...)` or an inner `sh -c`. A command with $ASSAY_PROMPT gets the prompt in that variable.',
    ),
    cwd: z
      .string()
      .min(1)
      .optional()
      .describe('Working directory when the case has no workspace. Default: the folder of the config.'),
    stream: z
      .literal('jsonl')
      .optional()
      .describe(
        'jsonl: stdout has one JSON object per line, read while the program runs: message, tool-call, tool-result, usage or end (see Targets in the guide).',
      ),
    maxOutputBytes: z
      .number()
      .int()
      .positive()
      .default(32 * MEBIBYTE)
      .describe('Maximum size of its output in bytes; a program that prints more is ended.'),
    images: z.boolean().default(false).describe('Whether the target accepts images.'),
    promptRole: promptRole('in the variable ASSAY_SYSTEM_PROMPT'),
    healthcheck: healthcheck.optional().describe('Check that runs once before the first trial.'),
  }),
);

export type CliConfig = z.infer<typeof cliConfig>;
export type Healthcheck = z.infer<typeof healthcheck>;
