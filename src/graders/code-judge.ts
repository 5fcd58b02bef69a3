import * as z from 'zod';

import type { Grader } from '../core/grade.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import { graderDocument } from './code-judge-document.ts';
import { scriptInput } from './code-judge-input.ts';
import { findingOf, findingOfExitCode } from './code-judge-result.ts';
import { askScript, scriptVariables } from './code-judge-run.ts';
import { isModule, moduleOf, scriptFiles, scriptKeys } from './code-judge-script.ts';
import { askModule, prepareModule } from './kept-module.ts';

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
  fileFaults: (content, { script, result }) =>
    result !== undefined && isModule(script) && !content.startsWith('#!') ? [NO_EXIT_CODE] : [],
  touches: () => 'programs',
  create: (settings, services): Grader => ({
    prepare: () => {
      if (moduleOf(settings, services.directory) !== undefined) prepareModule(settings, services);
    },
    grade: async (subject, signal) => {
      const document = await graderDocument(subject, settings.config);
      const variables = scriptVariables(subject);
      const path = moduleOf(settings, services.directory);
      if (path !== undefined)
        return [await askModule(settings, { path, document, variables, services }, signal)];
      const input = await scriptInput(document);
      try {
        const read = settings.result === 'exit_code' ? findingOfExitCode : findingOf;
        return [await askScript(settings, { document: input.text, variables, services, read }, signal)];
      } finally {
        await input.discard();
      }
    },
  }),
};

const NO_EXIT_CODE =
  'a module returns a grade and has no exit code: start it as a program, such as script: [node, ./check.mjs]';
