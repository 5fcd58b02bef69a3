import type { Problem } from '../../core/problem.ts';
import type { TestCase } from '../../core/test-case.ts';
import { given } from '../../lib/given.ts';

/** The place of a problem of a case. A case of the store has no file; `key`: of the request that can mend it. */
export function placeOfCase(
  { source, digest }: Pick<TestCase, 'source' | 'digest'>,
  key: 'select' | 'user' = 'select',
): Pick<Problem, 'file' | 'line' | 'path'> {
  if (source !== undefined) return { file: source.file, ...given({ line: source.line }) };
  return digest === undefined ? { file: 'the plan' } : { file: 'the store', path: [key] };
}
