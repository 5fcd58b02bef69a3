import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { statusAt } from '../../lib/files/file-status.ts';
import { textFile } from '../../lib/text/prompt-file.ts';
import { FILTER_FORMS } from '../../lib/text/template-filters.ts';
import { openNames } from '../../lib/text/template.ts';
import { fault, type Fault, type Path, pathLabel } from '../yaml/fault.ts';

/** Programs get the prompt as an environment variable, for which Linux allows 128 KB. */
const MOST_BYTES = 100 * 1024;

/** The text of a prompt, which may be in a file. */
export function readPrompt(
  written: string,
  { directory, path }: { readonly directory: string; readonly path: Path },
): { readonly text?: string; readonly faults: readonly Fault[] } {
  const refuse = (message: string, hint: string) => ({
    faults: [fault('prompt-file', `${pathLabel(path)}: ${message}`, { path, hint })],
  });
  const file = textFile(written);
  if (file !== undefined) {
    const status = statusAt(resolve(directory, file));
    if (status?.isFile() !== true)
      return refuse(`prompt file not found: ${file}`, 'write a path relative to the config');
    if (status.size > MOST_BYTES)
      return refuse(
        `prompt file ${file} has ${status.size} bytes; the limit is ${MOST_BYTES}`,
        'shorten the prompt',
      );
  }
  const bytes = file === undefined ? undefined : readFileSync(resolve(directory, file));
  const text = bytes === undefined ? written : textOf(bytes);
  const what = file === undefined ? 'the prompt' : `prompt file ${file}`;
  if (text === undefined) return refuse(`${what} is not text`, 'save the prompt as UTF-8 text');
  if (text.trim() === '') return refuse(`${what} is empty`, 'write the prompt, or remove this value');
  const open = openNames(text).find(({ name }) => name === 'vars' || name.startsWith('vars.'));
  if (open === undefined) return { text, faults: [] };
  const { name, filter } = open;
  return filter === undefined
    ? refuse(`${what}: \`{{ ${name}\` is not followed by \` }}\``, 'write `{{ vars.NAME }}`')
    : refuse(`${what}: invalid filter \`${filter}\` after \`{{ ${name}\``, `filters are ${FILTER_FORMS}`);
}

function textOf(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
  } catch {
    return undefined;
  }
}
