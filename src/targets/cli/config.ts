import * as z from 'zod';

import { placeholdersIn, unknownPlaceholders } from './command-template.ts';
import { misplacedPlaceholders } from './placeholder-places.ts';
import { timeLimitMs } from '../../lib/time/time-limit.ts';

const MEBIBYTE = 2 ** 20;

const argumentList = z.lazy(() => z.array(z.string()).min(1));
const plainCommand = z.lazy(() => z.union([argumentList, z.string().min(1)]));

const command = plainCommand.superRefine((value, context) => {
  const texts = typeof value === 'string' ? [value] : value;
  for (const [i, text] of texts.entries()) {
    const path = typeof value === 'string' ? [] : [i];
    for (const message of unknownPlaceholders(text)) context.addIssue({ code: 'custom', message, path });
  }
  for (const { argument, message } of misplacedPlaceholders(value))
    context.addIssue({ code: 'custom', message, path: argument === undefined ? [] : [argument] });
});

const checkCommand = plainCommand.superRefine((value, context) => {
  const texts = typeof value === 'string' ? [value] : value;
  for (const { name } of texts.flatMap(placeholdersIn)) {
    const message = `{${name}} has no value here; a healthcheck runs once, before the first trial`;
    context.addIssue({ code: 'custom', message });
  }
});

const healthcheck = z.lazy(() =>
  z
    .strictObject({
      url: z.string().min(1).optional().describe('Must answer with a 2xx status'),
      command: checkCommand.optional().describe('Must exit with 0'),
      timeoutMs: timeLimitMs().default(10_000).describe('Until it must have passed'),
    })
    .refine((value) => (value.url === undefined) !== (value.command === undefined), {
      message: 'a healthcheck is either a `url` or a `command`',
    }),
);

export const cliConfig = z.lazy(() =>
  z.strictObject({
    command: command.describe(
      'Argument list, or a text for the shell, with {PROMPT} {PROMPT_FILE} {FILES} {OUTPUT_FILE} {TEST_ID} {ATTEMPT} {WORKSPACE} {MESSAGES_FILE} {MCP_CONFIG}, none of them within quotes or code. A command that names $ASSAY_PROMPT gets the prompt in that variable',
    ),
    cwd: z
      .string()
      .min(1)
      .optional()
      .describe('Where it runs when the case has no workspace; default: the folder of the config'),
    stream: z
      .literal('jsonl')
      .optional()
      .describe(
        'stdout is one JSON object a line, read as they come: message, tool-call, tool-result, usage or end (the keys are in the guide, Targets)',
      ),
    maxOutputBytes: z
      .number()
      .int()
      .positive()
      .default(32 * MEBIBYTE)
      .describe('Of what it prints; more ends it'),
    images: z.boolean().default(false).describe('Whether it understands images'),
    healthcheck: healthcheck.optional().describe('Runs once before the first trial'),
  }),
);

export type CliConfig = z.infer<typeof cliConfig>;
export type Healthcheck = z.infer<typeof healthcheck>;
