import type { Problem } from '../../core/problem.ts';
import type { Fault } from '../yaml/fault.ts';
import type { Source } from './yaml-source.ts';
import { given } from '../../lib/given.ts';

/** Where mistakes of a value are shown: the file and, if known, the places in it. */
export interface Origin {
  readonly file: string;
  /** Absent for modules, because their values have no places. */
  readonly source?: Pick<Source, 'keyAt' | 'valueAt'>;
}

export function problemAt({ file, source }: Origin, { path, at, code, message, hint }: Fault): Problem {
  const position = at === 'key' ? source?.keyAt(path) : source?.valueAt(path);
  const inFile = path.length === 0 ? {} : { path };
  return { file, ...position, ...inFile, code, message, ...given({ hint }) };
}
