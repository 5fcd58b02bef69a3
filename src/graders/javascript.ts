import { resolve } from 'node:path';
import * as z from 'zod';

import type { GraderPlugin } from '../core/plugin.ts';
import { given } from '../lib/given.ts';
import type { JsonObject } from '../lib/json.ts';
import { checkFacts } from './check/check-facts.ts';
import { checkFile, checkFinding } from './check/check-finding.ts';
import { checkPool } from './check/check-pool.ts';
import { fileFault, textFault } from './check/check-source.ts';
import { deciding } from './deciding.ts';
import { firstCharacters } from './excerpt.ts';
import { scriptKeys } from './code-judge-script.ts';

const config = z.lazy(() =>
  z
    .strictObject({
      value: z
        .string()
        .min(1, 'must not be empty: there is nothing to check')
        .describe(
          'An expression or statements with `return`, or `file://` and the path of a module whose default export is the check.',
        ),
      timeout_ms: scriptKeys.timeout_ms
        .unwrap()
        .default(5_000)
        .describe('Time limit of the check in milliseconds.'),
      config: scriptKeys.config,
    })
    .superRefine(({ value }, context) => {
      const message = checkFile(value) === undefined ? textFault(value) : pathFault(value);
      if (message !== undefined) context.addIssue({ code: 'custom', path: ['value'], message });
    }),
);

export const javascript: GraderPlugin<z.infer<typeof config>> = {
  type: 'javascript',
  version: 1,
  summary: 'Your JavaScript or TypeScript checks the answer, in a worker thread of assay.',
  config,
  nameOf: ({ value }) => `javascript-${firstCharacters(checkFile(value) ?? value, 30).replace(/\s+/g, ' ')}`,
  deciding: ({ value, config: own }) => ({ value, ...given({ config: own }) }),
  files: ({ value }) => {
    const file = checkFile(value);
    return file === undefined ? [] : [file];
  },
  fileFaults: (content) => {
    const fault = fileFault(content);
    return fault === undefined ? [] : [fault];
  },
  touches: () => 'programs',
  create: ({ value, timeout_ms: timeoutMs, config: own }, { directory, environment }) => {
    const file = checkFile(value);
    const check = file === undefined ? { text: value } : { path: resolve(directory, file) };
    return deciding(async (subject, signal) => {
      const facts = checkFacts(
        subject,
        own as JsonObject | undefined,
        file === undefined ? value : undefined,
      );
      const said = await checkPool(environment).ask({ check, facts }, { timeoutMs, signal });
      return checkFinding(said, { value, answer: subject.answer });
    });
  },
};

function pathFault(value: string): string | undefined {
  const file = checkFile(value) ?? '';
  if (file.startsWith('/')) return 'must be relative to this file, such as file://checks/check.ts';
  return /\.[cm]?[jt]s$/.test(file) ? undefined : 'must name a .js or .ts file';
}
