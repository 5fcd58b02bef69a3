import { resolve } from 'node:path';

import type { AskedCases } from '../../authoring/stored/selector.ts';
import type { Manifest } from '../../core/manifest.ts';
import { AuthoringError, type Problem } from '../../core/problem.ts';
import { rowsOf, type RunReference } from '../../core/run-store.ts';
import { STORED_SUITE } from '../../core/test-case.ts';
import { refuseUngraded } from '../planning/nothing-to-grade.ts';
import type { Project } from '../binding/machine.ts';
import { agentsOfSpec } from '../planning/with-agents.ts';
import { isNoConsequenceOf } from '../planning/load/consequences.ts';
import { readProject } from '../planning/load/load-project.ts';
import type { Surroundings } from '../surroundings.ts';
import type { GradeRequest } from './grade-request.ts';
import { given } from '../../lib/given.ts';

/** A stored run to grade. */
export interface GradedRun {
  readonly source: RunReference;
  readonly before: Manifest;
  /** Throws further mistakes of a project, which are told together with the others. */
  readonly check: (project: Project) => Promise<unknown>;
}

/** With which cases and settings a run is graded. */
type GradedAgain = Pick<GradeRequest, 'suites' | 'judge' | 'request' | 'select' | 'found'>;

/** Loads the current project with the named suites, or those of the run. */
export async function loadAgain(
  { suites, judge, request: now, select, found = [] }: GradedAgain,
  { source, before, check }: GradedRun,
  surroundings: Surroundings,
): Promise<Project> {
  const stored = before.suites.some(({ id }) => id === STORED_SUITE);
  const earlier = stored ? storedPatterns(before) : before.suites.map(({ file }) => file);
  const same = stored ? await sameCases(source) : undefined;
  const { targets = [], request } = before.settings.options ?? {};
  const options = {
    targets,
    patterns: suites.length > 0 ? suites : earlier,
    ...(same === undefined ? {} : { stored, select: { ...select, ...same.select } }),
    ...given({ judge, request: now === undefined ? request : { ...request, ...now } }),
    ...(before.config === undefined ? {} : { config: before.config.file }),
  };
  const agents = agentsOfSpec({ targets: before.targets.map((each) => ({ ...each, written: each.config })) });
  const { project, problems, omitted } = await readProject({ options, surroundings, agents });
  if (project === undefined || problems.length + found.length > 0) {
    const later = project === undefined ? [] : await problemsIn(() => check(project));
    throw new AuthoringError([...found, ...problems, ...later.filter(isNoConsequenceOf(omitted))]);
  }
  if (same !== undefined && select === undefined) refuseUngraded(project.suites, same.asked);
  return project;
}

async function problemsIn(work: () => Promise<unknown>): Promise<readonly Problem[]> {
  try {
    await work();
    return [];
  } catch (error) {
    if (error instanceof AuthoringError) return error.problems;
    throw error;
  }
}

/** The files of stored cases, which all belong to one suite. None: they are those of the store. */
function storedPatterns({ settings, cwd }: Manifest): readonly string[] {
  return (settings.options?.patterns ?? []).map((pattern) => resolve(cwd, pattern));
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
