import { dirname } from 'node:path';

import { loadCaseFiles } from '../../../authoring/stored/load.ts';
import type { TakenCase } from '../../../authoring/stored/map.ts';
import { type AskedCases, selectCases, unknownCases } from '../../../authoring/stored/selector.ts';
import type { Problem } from '../../../core/problem.ts';
import { shownPath } from '../../project/project-root.ts';

/** Where the stored test cases of a run come from. */
export interface CaseSource {
  /** Absolute path of the folder that is used as the suite. */
  readonly folder: string;
  /** Whether an empty selection is reported, in addition to other mistakes. */
  readonly tellsEmpty?: true;
  read(select: AskedCases): Promise<ReadCases>;
}

export interface ReadCases {
  /** By their positions in the suite. Undefined: not known, and not planned. */
  readonly cases: readonly (TakenCase | undefined)[];
  readonly problems: readonly Problem[];
  /** Reads more planned cases, by their places in the plan. Gives them by their positions. Absent: all are known. */
  readonly more?: (places: readonly number[]) => Promise<ReadonlyMap<number, TakenCase>>;
}

/** The test cases of files. */
export function casesOfFiles(
  files: readonly string[],
  { projectRoot, cwd }: { readonly projectRoot: string; readonly cwd: string },
): CaseSource {
  const display = (path: string) => shownPath(path, cwd);
  const [first] = files;
  return {
    folder: first === undefined ? projectRoot : dirname(first),
    async read(select) {
      const read = await loadCaseFiles({ files, display, names: 'unique' });
      const { cases, unknown } = selectCases(read.cases, select);
      if (read.problems.length > 0) return { cases, problems: read.problems };
      return { cases, problems: unknownCases({ unknown }, display(projectRoot)) };
    },
  };
}
