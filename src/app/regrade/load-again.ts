import { resolve } from 'node:path';

import type { AskedCases } from '../../authoring/stored/selector.ts';
import type { Manifest } from '../../core/manifest.ts';
import { rowsOf, type RunReference } from '../../core/run-store.ts';
import { refuseUngraded } from '../planning/nothing-to-grade.ts';
import type { Project } from '../running/machine.ts';
import { loadProject } from '../planning/load/load-project.ts';
import { STORED_SUITE } from '../planning/load/load-stored-suite.ts';
import type { RunOptions } from '../../core/run-options.ts';
import type { Surroundings } from '../surroundings.ts';
import { given } from '../../lib/given.ts';

/** A stored run to grade. */
export interface GradedRun {
  readonly source: RunReference;
  readonly before: Manifest;
}

/** Loads the current project with the named suites, or those of the run. */
export async function loadAgain(
  { suites, judge }: { readonly suites: readonly string[]; readonly judge?: string },
  { source, before }: GradedRun,
  surroundings: Surroundings,
): Promise<Project> {
  const stored = before.suites.some(({ id }) => id === STORED_SUITE);
  const earlier = stored ? storedPatterns(before) : before.suites.map(({ file }) => file);
  const same = stored ? await sameCases(source) : undefined;
  const { targets = [] } = before.settings['options'] as unknown as Partial<RunOptions>;
  const options = {
    targets,
    patterns: suites.length > 0 ? suites : earlier,
    ...(same === undefined ? {} : { stored, select: same.select }),
    ...given({ judge }),
    ...(before.config === undefined ? {} : { config: before.config.file }),
  };
  const project = await loadProject({ options, surroundings });
  if (same !== undefined) refuseUngraded(project.suites, same.asked);
  return project;
}

/** The files of stored cases, which all belong to one suite. */
function storedPatterns({ settings, cwd }: Manifest): readonly string[] {
  const { patterns } = settings['options'] as unknown as RunOptions;
  return patterns.map((pattern) => resolve(cwd, pattern));
}

/** Selects the cases of the run regardless of their current status, so that an archived case can still be graded. */
async function sameCases(source: RunReference): Promise<SameCases> {
  const among = new Set<string>();
  const asked = new Set<string>();
  for await (const { caseId, verdict } of rowsOf(source)) {
    among.add(caseId);
    if (verdict !== 'skipped') asked.add(caseId);
  }
  return { select: { among, status: ['any'] }, asked };
}

interface SameCases {
  readonly select: AskedCases;
  /** The cases that were not skipped. */
  readonly asked: ReadonlySet<string>;
}
