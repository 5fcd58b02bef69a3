import type { Manifest, Row } from '../core/run.ts';
import { runFold } from '../core/run-view.ts';
import type { Suite, TestCase } from '../core/test-case.ts';
import { trialKey } from '../core/trial.ts';
import { findRun } from '../storage/run-directory/find.ts';
import { readManifest } from '../storage/run-directory/manifest.ts';
import { storedTrials } from '../storage/run-directory/stored-trials.ts';
import { judgeIdentity } from './choose-judge.ts';
import { conductRun, tell, type RunWork } from './conduct-run.ts';
import { createRun } from './create-run.ts';
import { caseDigester, createDigestList } from './digests.ts';
import { gradeStored, type StoredGrading } from './grade-stored.ts';
import { loadProject, type Project } from './load-project.ts';
import { openJudging, resolveJudges } from './open-judging.ts';
import { outcomeOf } from './outcome.ts';
import { outputDirectory } from './output-directory.ts';
import { graderFactory } from './parts.ts';
import type { Presentation, RunOutcome } from './presentation.ts';
import { builtins } from './registry.ts';
import { projectSecrets } from './project-secrets.ts';
import { reportersOf } from './reporters.ts';
import { repositoryState } from './repository-state.ts';
import type { Cassette, Surroundings } from './run-options.ts';

export interface GradeRequest {
  /** Directory, id, beginning of an id, or `latest`. */
  readonly run: string;
  /** Files to take cases and expectations from; empty: those of the run. */
  readonly suites: readonly string[];
  readonly cassette?: Cassette;
  /** The target that judges, over every other judge. */
  readonly judge?: string;
}

/** Trials that are graded at once. */
const CONCURRENCY = 10;

/** Grades what a run has stored with the graders of now, into a new run; the source is only read. */
export async function gradeRun(request: GradeRequest, presentation: Presentation): Promise<RunOutcome> {
  const { surroundings } = presentation;
  const runs = await outputDirectory(presentation.out, surroundings);
  const source = findRun(request.run, runs, surroundings.cwd);
  const before = readManifest(source.paths);
  const project = await loadAgain(request, before, surroundings);
  const reporters = reportersOf(project.run.reporters, presentation);
  const names = before.targets.map(({ name }) => name);
  const judges = resolveJudges(project, request.judge, names);
  const digests = createDigestList();
  const carried = (digest: number) => digests.numberOf(before.digests[digest] ?? '');
  const { lock, ...run } = createRun({
    prepared: {
      manifest: gradeManifest(project, before, carried),
      outputDirectory: runs,
      digests,
      ...projectSecrets(project, judges.secretNames),
    },
    surroundings,
    kind: 'grade',
    sourceRunId: before.id,
  });
  try {
    await using judging = openJudging({
      project,
      judges,
      cassette: request.cassette,
      seed: before.seed,
      redactor: run.redactor,
      runId: run.manifest.id,
      place: { runs, cwd: surroundings.cwd },
    });
    const identity = judgeIdentity(project.loaded, request.judge);
    const grading = storedGrading(project, before, {
      digests: caseDigester(digests, builtins().graders, identity),
      carried,
      target: source.target,
      services: judging.services,
    });
    const { projectRoot } = project;
    const { maxErrored } = project.run;
    const result = await conductRun(
      {
        ...newRun(),
        run,
        presentation,
        reporters,
        projectRoot,
        maxErrored,
        repository: repositoryState(surroundings),
      },
      gradeAll({ presentation, grading, trials: storedTrials(source.paths), manifest: run.manifest }),
    );
    return outcomeOf(result);
  } finally {
    lock.release();
  }
}

/** What a run begins with. */
function newRun() {
  return { lastSequence: 0, fold: runFold() };
}

/** The project as it is now, with the suites that are named or those of the run. */
async function loadAgain(
  { suites, judge }: GradeRequest,
  before: Manifest,
  surroundings: Surroundings,
): Promise<Project> {
  const options = {
    patterns: suites.length > 0 ? suites : before.suites.map(({ file }) => file),
    ...(judge === undefined ? {} : { judge }),
    ...(before.config === undefined ? {} : { config: before.config.file }),
  };
  return await loadProject({ options, surroundings });
}

interface GradeWork {
  readonly presentation: Presentation;
  readonly grading: StoredGrading;
  readonly trials: ReturnType<typeof storedTrials>;
  readonly manifest: Manifest;
}

function gradeAll({ presentation, grading, trials, manifest }: GradeWork): RunWork {
  const { interrupt, surroundings } = presentation;
  return async (stream, broken) => {
    tell(stream, surroundings, {
      type: 'run-start',
      formatVersion: manifest.formatVersion,
      trials: manifest.trials,
      seed: manifest.seed,
    });
    const running = new Set<Promise<void>>();
    for await (const stored of trials) {
      if (interrupt.stop.aborted || broken.aborted) break;
      if (!grading.takes(stored.row)) continue;
      const work = gradeStored(stored, { ...grading, stream, surroundings, signal: interrupt.abandon });
      const tracked = work.finally(() => running.delete(tracked));
      running.add(tracked);
      if (running.size >= CONCURRENCY) await Promise.race(running);
    }
    await Promise.all(running);
    if (broken.aborted) throw broken.reason;
    return interrupt.stop.aborted ? 'interrupted' : 'completed';
  };
}

interface GradingParts {
  readonly digests: ReturnType<typeof caseDigester>;
  readonly carried: StoredGrading['carried'];
  readonly target: string | undefined;
  readonly services: Parameters<typeof graderFactory>[1];
}

function storedGrading(project: Project, before: Manifest, parts: GradingParts): StoredGrading {
  const { graders } = builtins();
  const cases = caseFinder(project.suites);
  return {
    takes: (row) => parts.target === undefined || row.target === parts.target,
    caseOf: cases,
    digestsOf: parts.digests,
    carried: parts.carried,
    graderFor: graderFactory(graders, parts.services),
    threshold: project.run.threshold,
    sourceRunId: before.id,
    keyOf: trialKey,
  };
}

/** The case of a stored trial: of its suite, or of the only suite that was named. */
function caseFinder(suites: readonly Suite[]): (row: Row) => TestCase | undefined {
  const indices = suites.map((suite) => {
    const byId = new Map<string, number>();
    for (let index = 0; index < suite.cases.length; index++) byId.set(suite.cases.at(index).id, index);
    return byId;
  });
  return (row) => {
    const named = suites.findIndex((suite) => suite.id === row.suite);
    const position = named < 0 && suites.length === 1 ? 0 : named;
    const index = indices[position]?.get(row.caseId);
    return index === undefined ? undefined : suites[position]?.cases.at(index);
  };
}

function gradeManifest(project: Project, before: Manifest, carried: (digest: number) => number) {
  const targets = before.targets.map((target) => ({
    ...target,
    digest: carried(target.digest),
  }));
  const { config, settings, suites, trials, seed } = before;
  return {
    ...(config === undefined ? {} : { config }),
    settings,
    suites,
    trials,
    seed,
    projectRoot: project.projectRoot,
    targets,
  };
}
