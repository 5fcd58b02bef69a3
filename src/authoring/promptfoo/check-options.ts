import { given } from '../../lib/given.ts';
import { isObject } from '../../lib/json.ts';
import type { Path } from '../yaml/fault.ts';
import { gradingModel, type CheckOptions } from './checks.ts';
import { noteOthers, type Importing } from './notes.ts';

/** What `options` of a test says about its checks. */
export function checkOptions(
  options: unknown,
  { path, importing }: { readonly path: Path; readonly importing: Importing },
): CheckOptions {
  if (!isObject(options)) return {};
  const { provider, transform, ...rest } = options;
  noteOthers(rest, ['disableVarExpansion', 'prefix', 'suffix'], { path, importing, hints: HINTS });
  const judge = provider === undefined ? undefined : gradingModel(provider);
  if (provider !== undefined && judge === undefined)
    importing.note(
      [...path, 'provider'],
      'this grading model is not imported',
      'write it as `judge: { model: PROVIDER/NAME }`',
    );
  return given({ transform: typeof transform === 'string' ? transform : undefined, judge });
}

const HINTS = {
  rubricPrompt: 'use `llm_judge` with `prompt`',
  postprocess: 'select the part of the answer in a `javascript` check',
};
