import type { WorkerVersions } from '../../core/handed-trials.ts';
import type { TargetVersions } from '../../core/target.ts';

/** The versions of programs on all workers, and a warning for each program of which they have several. */
export interface JoinedVersions {
  /** Several versions of a program are joined with a comma. */
  readonly versions: TargetVersions;
  readonly warnings: readonly string[];
}

export function joinedVersions(told: readonly WorkerVersions[]): JoinedVersions {
  const versions: Record<string, Record<string, string>> = {};
  const warnings: string[] = [];
  for (const target of distinct(told.flatMap((each) => Object.keys(each.versions)))) {
    const programs = distinct(told.flatMap((each) => Object.keys(each.versions[target] ?? {})));
    const ofTarget: Record<string, string> = {};
    for (const program of programs) {
      const found = told.flatMap(({ worker, versions: own }) => {
        const version = own[target]?.[program];
        return version === undefined ? [] : [{ worker, version }];
      });
      const all = distinct(found.map(({ version }) => version));
      ofTarget[program] = all.join(', ');
      if (all.length > 1)
        warnings.push(
          `workers have different versions of ${program} for target ${target}: ${distinct(
            found.map(({ worker, version }) => `${version} on ${worker}`),
          ).join(', ')}`,
        );
    }
    versions[target] = ofTarget;
  }
  return { versions, warnings };
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted();
}
