import { resolve } from 'node:path';
import * as z from 'zod';

import type { GraderPlugin } from '../../core/plugin.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import { scriptKeys } from '../code-judge-script.ts';
import { deciding } from '../deciding.ts';
import { firstCharacters } from '../excerpt.ts';
import { clamped, type CheckSaid } from './check-answer.ts';
import { checkFacts } from './check-facts.ts';
import { checkFile, checkFinding } from './check-finding.ts';
import type { CheckFacts } from './check-input.ts';
import { checkPool, type ThreadKind } from './check-pool.ts';

/** What checks in one language have of their own. */
export interface CheckLanguage extends Pick<GraderPlugin, 'type' | 'summary' | 'program' | 'fileFaults'> {
  /** What `value` can be. */
  readonly forms: string;
  /** An example of a path. */
  readonly example: string;
  readonly extension: RegExp;
  /** The extensions in words. */
  readonly files: string;
  /** Why a text is not a check; undefined when it is one. */
  textFault?(text: string): string | undefined;
  /** Whether a check can be answered without a thread. */
  isPlain?(text: string): boolean;
  /** Answers such a check; undefined if it needs a thread after all. */
  plainAnswer?(text: string, facts: CheckFacts): Promise<CheckSaid | undefined>;
  /** Absent: worker threads. */
  readonly threads?: ThreadKind;
}

/** The grader of checks in one language: a text or a file. */
export function checkPlugin(language: CheckLanguage): GraderPlugin<CheckConfig> {
  const { type, summary, program, fileFaults, threads } = language;
  return {
    type,
    version: 1,
    summary,
    config: z.lazy(() => configOf(language)),
    nameOf: ({ value }) => `${type}-${firstCharacters(checkFile(value) ?? value, 30).replace(/\s+/g, ' ')}`,
    deciding: ({ value, config: own, clamp }) => ({ value, ...given({ config: own, clamp }) }),
    files: ({ value }) => {
      const file = checkFile(value);
      return file === undefined ? [] : [file];
    },
    touches: () => 'programs',
    ...given({ program, fileFaults }),
    create: ({ value, timeout_ms: timeoutMs, config: own, clamp }, { directory, environment }) => {
      const file = checkFile(value);
      const check = file === undefined ? { text: value } : { path: resolve(directory, file) };
      const text = file === undefined ? value : undefined;
      const pool = () => (threads === undefined ? checkPool(environment) : checkPool(environment, threads));
      const grader = deciding(async (subject, signal) => {
        const facts = checkFacts(subject, own as JsonObject | undefined, text);
        const said =
          (text === undefined ? undefined : await language.plainAnswer?.(text, facts)) ??
          (await pool().ask({ check, facts }, { timeoutMs, signal }));
        return checkFinding(clamp === true ? clamped(said) : said, { value, answer: subject.answer });
      });
      const isPlain = text !== undefined && language.isPlain?.(text) === true;
      return isPlain ? grader : { ...grader, prepare: () => pool().prepare() };
    },
  };
}

type CheckConfig = z.infer<ReturnType<typeof configOf>>;

function configOf({ forms, example, extension, files, textFault }: CheckLanguage) {
  return z
    .strictObject({
      value: z.string().min(1, 'must not be empty: there is nothing to check').describe(forms),
      timeout_ms: scriptKeys.timeout_ms
        .unwrap()
        .default(5_000)
        .describe('Time limit of the check in milliseconds.'),
      config: scriptKeys.config,
      clamp: z
        .boolean()
        .optional()
        .describe(
          'true: a number above 1 counts as 1, and a negative one as 0, as in promptfoo. Without it, such a number makes the trial errored.',
        ),
    })
    .superRefine(({ value }, context) => {
      const file = checkFile(value);
      const message =
        file === undefined ? textFault?.(value) : pathFault(file, { example, extension, files });
      if (message !== undefined) context.addIssue({ code: 'custom', path: ['value'], message });
    });
}

function pathFault(
  file: string,
  { example, extension, files }: Pick<CheckLanguage, 'example' | 'extension' | 'files'>,
): string | undefined {
  if (file.startsWith('/')) return `must be relative to this file, such as file://${example}`;
  return extension.test(file) ? undefined : `must name a ${files} file`;
}
