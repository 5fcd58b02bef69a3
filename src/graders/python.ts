import { resolve } from 'node:path';
import * as z from 'zod';

import type { GraderPlugin } from '../core/plugin.ts';
import { given } from '../lib/given.ts';
import type { JsonObject } from '../lib/json.ts';
import { checkFacts } from './check/check-facts.ts';
import { checkFile, checkFinding } from './check/check-finding.ts';
import { checkPool, type ThreadKind } from './check/check-pool.ts';
import { startPython } from './check/python-process.ts';
import { scriptKeys } from './code-judge-script.ts';
import { deciding } from './deciding.ts';
import { firstCharacters } from './excerpt.ts';

const config = z.lazy(() =>
  z
    .strictObject({
      value: z
        .string()
        .min(1, 'must not be empty: there is nothing to check')
        .describe(
          'An expression or statements with `return`, or `file://` and the path of a file with `def check(input)`.',
        ),
      timeout_ms: scriptKeys.timeout_ms
        .unwrap()
        .default(5_000)
        .describe('Time limit of the check in milliseconds.'),
      config: scriptKeys.config,
    })
    .superRefine(({ value }, context) => {
      const file = checkFile(value);
      if (file === undefined) return;
      const issue = (message: string) => context.addIssue({ code: 'custom', path: ['value'], message });
      if (file.startsWith('/')) issue('must be relative to this file, such as file://checks/check.py');
      else if (!file.endsWith('.py')) issue('must name a .py file');
    }),
);

const PROCESSES: ThreadKind = { start: startPython, noun: 'process' };

export const python: GraderPlugin<z.infer<typeof config>> = {
  type: 'python',
  version: 1,
  summary: 'Your Python checks the answer, in a `python3` process that many checks share.',
  config,
  nameOf: ({ value }) => `python-${firstCharacters(checkFile(value) ?? value, 30).replace(/\s+/g, ' ')}`,
  deciding: ({ value, config: own }) => ({ value, ...given({ config: own }) }),
  files: ({ value }) => {
    const file = checkFile(value);
    return file === undefined ? [] : [file];
  },
  touches: () => 'programs',
  program: 'python3',
  create: ({ value, timeout_ms: timeoutMs, config: own }, { directory, environment }) => {
    const file = checkFile(value);
    const check = file === undefined ? { text: value } : { path: resolve(directory, file) };
    return deciding(async (subject, signal) => {
      const facts = checkFacts(
        subject,
        own as JsonObject | undefined,
        file === undefined ? value : undefined,
      );
      const said = await checkPool(environment, PROCESSES).ask({ check, facts }, { timeoutMs, signal });
      return checkFinding(said, { value, answer: subject.answer });
    });
  },
};
