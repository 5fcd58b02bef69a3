import * as z from 'zod';

import type { Grader } from '../core/grade.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import { graderDocument } from './code-judge-document.ts';
import { scriptInput } from './code-judge-input.ts';
import { findingOf, findingOfExitCode } from './code-judge-result.ts';
import { askScript, scriptVariables } from './code-judge-run.ts';
import { moduleOf, scriptFiles, scriptKeys } from './code-judge-script.ts';
import { askModule } from './kept-module.ts';

const config = z.lazy(() =>
  z.strictObject({
    ...scriptKeys,
    result: z
      .literal('exit_code', {
        error: 'must be exit_code; leave it out for a script that prints JSON',
      })
      .optional()
      .describe('For test runners: exit code 0 passes and 1 fails; the output is ignored.'),
  }),
);

export const codeJudge: GraderPlugin<z.infer<typeof config>> = {
  type: 'code_judge',
  version: 1,
  summary: 'Your program grades the answer: it reads JSON, and prints a score or returns an exit code.',
  config,
  files: scriptFiles,
  touches: () => 'programs',
  create: (settings, services): Grader => ({
    grade: async (subject, signal) => {
      const path = settings.result === undefined ? moduleOf(settings, services.directory) : undefined;
      if (path !== undefined) {
        const document = await graderDocument(subject, settings.config);
        const asked = { path, document, variables: scriptVariables(subject), services };
        return [await askModule(settings, asked, signal)];
      }
      const input = await scriptInput(await graderDocument(subject, settings.config));
      try {
        const read = settings.result === 'exit_code' ? findingOfExitCode : findingOf;
        const variables = scriptVariables(subject);
        return [await askScript(settings, { document: input.text, variables, services, read }, signal)];
      } finally {
        await input.discard();
      }
    },
  }),
};
