import * as z from 'zod';

import { MeasurementError } from '../core/errors.ts';
import type { Grader } from '../core/grade.ts';
import { nearest } from '../lib/suggest.ts';
import { templateNames } from '../lib/template.ts';

/** The release that asks judges; until then their configuration is checked and a trial that needs one is errored. */
export const JUDGES_COME = 'the next release';

const judge = z.union([z.string().min(1), z.looseObject({ model: z.string().min(1) })], {
  error: 'must be the name of a target or a mapping with a model',
});

/** Keys of every grader that asks a model. */
export const judgeKeys = {
  judge: judge.optional().describe('Who decides: the name of a target, or { model, ... }.'),
  samples: z.int().min(1).optional().describe('Asked so often; the median or the majority counts.'),
  overflow: z
    .literal('head_tail', { error: 'the only value is head_tail; left out, too long material is an error' })
    .optional()
    .describe('What to do with material that is too long for the judge.'),
};

/** A prompt, as text or as the path of a file. */
export const promptKey = z
  .string()
  .regex(/\S/, 'is empty')
  .superRefine((prompt, context) => {
    if (promptFile(prompt) !== undefined) return;
    for (const message of unknownNames(prompt)) context.addIssue({ code: 'custom', message });
  })
  .describe('Text with {{ names }}, or the path of a file with it.');

/** The path of the file a prompt stands in; undefined when the prompt is the text itself. */
export function promptFile(prompt: string): string | undefined {
  const line = prompt.trim();
  if (line.includes('\n')) return undefined;
  if (line.startsWith('file://')) return line.slice('file://'.length);
  return /^\.{0,2}\//.test(line) || /\.(md|txt)$/.test(line) ? line : undefined;
}

/** What is wrong with the names of a template for judges. */
export function unknownNames(template: string): readonly string[] {
  return templateNames(template).flatMap((name) => {
    const [root = ''] = name.split('.');
    if (NAMES.includes(root)) return [];
    const meant = nearest(root, NAMES);
    const hint = meant === undefined ? `known are ${NAMES.join(', ')}` : `did you mean ${meant}?`;
    return [`{{ ${name} }} is no name a prompt can use (${hint})`];
  });
}

/** Whether a prompt asks for a name; a file's text is not known here. */
export function asksFor(prompt: string, wanted: string): boolean {
  if (promptFile(prompt) !== undefined) return false;
  return templateNames(prompt).some((name) => name.split('.')[0] === wanted);
}

/** Stands for a grader whose judge cannot be asked yet. */
export function notYetGrader(type: string): Grader {
  return {
    grade: async () => {
      throw new MeasurementError(`asking a judge is not available yet: ${type} comes with ${JUDGES_COME}`, {
        stage: 'grading',
        kind: 'grader',
        detail: 'judge-not-available',
        hint: 'until then use a deterministic grader or code_judge',
      });
    },
  };
}

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
