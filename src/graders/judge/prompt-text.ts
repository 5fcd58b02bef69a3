import { asksFor, unknownNames } from '../judge-keys.ts';
import { WITH_RUBRICS } from './default-prompt.ts';
import type { RubricItem } from './rubric-list.ts';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { promptFile } from '../../lib/text/prompt-file.ts';
import { promptError } from './render-task.ts';

/** The text of a prompt, which may be in a file. */
export async function promptText(prompt: string, directory: string): Promise<string> {
  const file = promptFile(prompt);
  if (file === undefined) return prompt;
  const text = await readFile(resolve(directory, file), 'utf8');
  const [unknown] = unknownNames(text);
  if (unknown !== undefined) throw promptError(`${file}: ${unknown}`);
  return text;
}

/** A prompt that shows these items of a rubric, at its end if it does not name them. */
export function withRubrics(prompt: string, items: readonly RubricItem[] | undefined): string {
  return items === undefined || asksFor(prompt, 'rubrics') ? prompt : prompt + WITH_RUBRICS;
}
