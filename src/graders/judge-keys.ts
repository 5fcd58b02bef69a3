import * as z from 'zod';

import type { JudgeChoice } from '../core/judge.ts';
import { given } from '../lib/given.ts';
import { camelKeys } from '../lib/text/key-case.ts';
import { promptFile } from '../lib/text/prompt-file.ts';
import { nearest } from '../lib/text/suggest.ts';
import { FILTER_FORMS } from '../lib/text/template-filters.ts';
import { neededNames, openNames, templateNames } from '../lib/text/template.ts';
import { timeLimitMs } from '../lib/time/time-limit.ts';

// Lazy, like every large schema of a grader: most runs use few graders, and building all schemas takes time.
const count = z.lazy(() => z.int().min(1));

const judge = z.lazy(() =>
  z.union(
    [
      z.string().min(1),
      z.strictObject({
        model: z
          .string()
          .regex(/^[^/\s]+\/\S+$/, 'write it as provider/name, such as openai/gpt-5-mini')
          .describe('As provider/name.'),
        temperature: z.number().min(0).optional().describe('Sampling temperature of the judge. Default: 0.'),
        max_output_tokens: count.optional().describe('Maximum tokens of one answer. Default: 4096.'),
        max_input_chars: count
          .optional()
          .describe(
            'Maximum length of the text from the trial that the judge gets, in characters. Default: 400000.',
          ),
        timeout_ms: timeLimitMs()
          .optional()
          .describe('Time limit of one answer in milliseconds. Default: 120000.'),
      }),
    ],
    { error: 'must be the name of a target, or a mapping with `model`' },
  ),
);

/** Keys of every grader that asks a model. */
export const judgeKeys = {
  judge: judge.optional().describe('The judge: the name of a target, or { model, ... }.'),
  samples: count
    .optional()
    .describe('Number of times that the judge is asked. The median score or the majority counts.'),
  overflow: z
    .lazy(() =>
      z.literal('head_tail', {
        error: 'must be head_tail; without it, material that is too long is an error',
      }),
    )
    .optional()
    .describe(
      'head_tail: if the text for the judge is too long, keeps its beginning and end. Default: an error.',
    ),
};

/** The values of these keys in a checked configuration. */
export type JudgeKeys = {
  readonly [Key in keyof typeof judgeKeys]?: z.infer<(typeof judgeKeys)[Key]>;
};

/** The judge of a configuration, with our keys. */
export function judgeOf({ judge: named }: JudgeKeys): JudgeChoice | undefined {
  return typeof named === 'object' ? given(camelKeys(named)) : named;
}

/** The configuration without the judge's time limit, which does not change a grade. */
export function withoutTimeout<Config extends JudgeKeys>(config: Config): Config {
  if (typeof config.judge !== 'object') return config;
  const { timeout_ms: _, ...kept } = config.judge;
  return { ...config, judge: kept };
}

/** A prompt as text or as the path of a file. */
export const promptKey = z.lazy(() =>
  z
    .string()
    .regex(/\S/, 'is empty')
    .superRefine((prompt, context) => {
      if (promptFile(prompt) !== undefined) return;
      for (const message of unknownNames(prompt)) context.addIssue({ code: 'custom', message });
    })
    .describe(
      'The prompt, or the path of a file that contains it. It can contain placeholders, such as `{{ answer }}` and `{{ question }}`.',
    ),
);

/** The names of `vars` that a template needs. */
export function varNames(template: string): readonly string[] {
  return neededNames(template).filter((name) => name.startsWith('vars.'));
}

export function unknownNames(template: string): readonly string[] {
  return [...templateNames(template).flatMap(nameFault), ...openFaults(template)];
}

function nameFault(name: string): readonly string[] {
  const [root = '', ...inside] = name.split('.');
  if (TEXTS.includes(root) && inside.length > 0) {
    return [`unknown name {{ ${name} }} in a prompt (${root} is a text and has no keys)`];
  }
  if (NAMES.includes(root)) return [];
  const meant = nearest(root, NAMES);
  const hint = meant === undefined ? `known: ${NAMES.join(', ')}` : `did you mean ${meant}?`;
  return [`unknown name {{ ${name} }} in a prompt (${hint})`];
}

/** Other braces are text, but an unclosed known name is a mistake. */
function openFaults(template: string): readonly string[] {
  return openNames(template).flatMap(({ name, filter }) => {
    if (!NAMES.includes(name.split('.')[0] ?? '')) return [];
    return filter === undefined || !name.startsWith('vars.')
      ? [`{{ ${name} is not closed (write {{ ${name} }})`]
      : [`invalid filter ${filter} after {{ ${name} (filters are ${FILTER_FORMS})`];
  });
}

/** Whether a prompt uses a name; texts in files are not known here. */
export function asksFor(prompt: string, wanted: string): boolean {
  if (promptFile(prompt) !== undefined) return false;
  return templateNames(prompt).some((name) => name.split('.')[0] === wanted);
}

const TEXTS = ['question', 'answer'];

const NAMES = [
  'question',
  'criteria',
  'answer',
  'reference',
  'input',
  'output',
  'transcript',
  'metadata',
  'sidecar',
  'vars',
  'changes',
  'rubrics',
  'config',
];
