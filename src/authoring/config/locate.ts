import type { Problem } from '../../core/problem.ts';
import type { Fault } from '../yaml/fault.ts';
import type { Source } from './yaml-source.ts';
import { given } from '../../lib/given.ts';

/** Where faults of a value are shown: the file, and the places in it where they are known. */
export interface Origin {
  readonly file: string;
  /** Absent for modules, whose values have no place. */
  readonly source?: Pick<Source, 'keyAt' | 'valueAt'>;
}

export function problemAt({ file, source }: Origin, { path, at, code, message, hint }: Fault): Problem {
  const position = at === 'key' ? source?.keyAt(path) : source?.valueAt(path);
  const inFile = path.length === 0 ? {} : { path };
  return { file, ...position, ...inFile, code, message, ...given({ hint }) };
}
