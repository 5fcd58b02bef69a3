import { resolve } from 'node:path';
import * as z from 'zod';

import { MeasurementError } from '../core/errors.ts';
import type { Finding } from '../core/grade.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import { given } from '../lib/given.ts';
import type { JsonObject } from '../lib/json.ts';
import { checkFacts } from './check/check-facts.ts';
import type { CheckSaid } from './check/check-answer.ts';
import { checkPool } from './check/check-pool.ts';
import { fileFault, textFault } from './check/check-source.ts';
import { deciding } from './deciding.ts';
import { answerShown, firstCharacters, quoted } from './excerpt.ts';
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
      const message = fileOf(value) === undefined ? textFault(value) : pathFault(value);
      if (message !== undefined) context.addIssue({ code: 'custom', path: ['value'], message });
    }),
);

export const javascript: GraderPlugin<z.infer<typeof config>> = {
  type: 'javascript',
  version: 1,
  summary: 'Your JavaScript or TypeScript checks the answer, in a worker thread of assay.',
  config,
  nameOf: ({ value }) => `javascript-${firstCharacters(fileOf(value) ?? value, 30).replace(/\s+/g, ' ')}`,
  deciding: ({ value, config: own }) => ({ value, ...given({ config: own }) }),
  files: ({ value }) => {
    const file = fileOf(value);
    return file === undefined ? [] : [file];
  },
  fileFaults: (content) => {
    const fault = fileFault(content);
    return fault === undefined ? [] : [fault];
  },
  touches: () => 'programs',
  create: ({ value, timeout_ms: timeoutMs, config: own }, { directory, environment }) => {
    const file = fileOf(value);
    const check = file === undefined ? { text: value } : { path: resolve(directory, file) };
    return deciding(async (subject, signal) => {
      const facts = checkFacts(subject, own as JsonObject | undefined);
      const said = await checkPool(environment).ask({ check, facts }, { timeoutMs, signal });
      return findingOf(said, { value, answer: subject.answer });
    });
  },
};

function findingOf(said: CheckSaid, { value, answer }: Record<'value' | 'answer', string>): Finding {
  if ('fault' in said) throw new MeasurementError(said.fault, { stage: 'grading', kind: 'grader' });
  const { reason, ...rest } = said;
  if (reason !== undefined && reason.trim() !== '') return { ...rest, reason };
  const check = fileOf(value) ?? quoted(value.trim(), 160);
  if (said.passed ?? said.score === 1) return { ...rest, reason: `the check holds: ${check}` };
  const what = said.score === 0 ? 'the check does not hold' : `the check returned ${said.score}`;
  return { ...rest, reason: `${what}: ${check}; ${answerShown(answer)}` };
}

function fileOf(value: string): string | undefined {
  const line = value.trim();
  return line.startsWith('file://') && !line.includes('\n') ? line.slice('file://'.length) : undefined;
}

function pathFault(value: string): string | undefined {
  const file = fileOf(value) ?? '';
  if (file.startsWith('/')) return 'must be relative to this file, such as file://checks/check.ts';
  return /\.[cm]?[jt]s$/.test(file) ? undefined : 'must name a .js or .ts file';
}
