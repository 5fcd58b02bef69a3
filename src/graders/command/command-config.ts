import * as z from 'zod';

import { timeLimitMs } from '../../lib/time/time-limit.ts';

const inside = z
  .string()
  .min(1)
  .refine(
    (path) => !path.startsWith('/') && !path.split('/').includes('..'),
    'must be a path inside the workspace',
  );

export const commandConfig = z.lazy(() =>
  z
    .strictObject({
      run: z
        .array(z.string())
        .min(1, 'must start with a program')
        .describe('The program and its arguments; it runs in a copy of the workspace.'),
      files: z
        .string()
        .min(1)
        .optional()
        .describe(
          'File or folder that the agent never sees; it is laid over the copy before the program runs.',
        ),
      at: inside.optional().describe('Where `files` is laid, relative to the workspace. Default: its root.'),
      network: z
        .enum(['none', 'host'])
        .default('none')
        .describe('Network of the program. `none` needs a sandbox.'),
      timeout_ms: timeLimitMs().default(120_000).describe('Time limit of the program in milliseconds.'),
      result: z
        .enum(['exit', 'junit'])
        .default('exit')
        .describe(
          'exit: exit code 0 passes, 1 fails, others are errors. junit: the share of expected tests that passed in `report`.',
        ),
      report: inside.optional().describe('JUnit file that the program writes, relative to the workspace.'),
      expect_tests: z
        .union([z.array(z.string().min(1)).min(1), z.literal('oracle')])
        .optional()
        .describe(
          'Names of the tests that must be in the report; a missing test has failed. oracle: the names that `assay verify-graders` found with `oracle`.',
        ),
      oracle: z
        .string()
        .min(1)
        .optional()
        .describe(
          'Folder with a correct solution. `assay verify-graders` copies it into the workspace, and the command must then pass.',
        ),
    })
    .superRefine(({ result, report, expect_tests: expected, oracle }, context) => {
      const refuse = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message });
      if (result === 'junit' && report === undefined) refuse('report', 'is required with `result: junit`');
      if (result === 'exit' && report !== undefined) refuse('report', 'needs `result: junit`');
      if (result === 'exit' && expected !== undefined) refuse('expect_tests', 'needs `result: junit`');
      if (expected === 'oracle' && oracle === undefined)
        refuse('oracle', 'is required with `expect_tests: oracle`');
    }),
);

export type CommandConfig = z.infer<typeof commandConfig>;
