import type { ModelDoor } from '../core/model.ts';
import type { Manifest } from '../core/run.ts';
import { runFold } from '../core/run-view.ts';
import { trialKey } from '../core/trial.ts';
import type { NamedSecret } from '../lib/redact/secrets.ts';
import { literalSecrets } from '../authoring/config/literal-secrets.ts';
import { processEnvironment } from '../authoring/config/resolve-target.ts';
import { findRun } from '../storage/run-directory/find.ts';
import { movedRow } from '../storage/run-directory/moved-row.ts';
import { readManifest } from '../storage/run-directory/manifest.ts';
import type { RunPaths } from '../storage/run-directory/paths.ts';
import { openRunReader } from '../storage/run-directory/reader.ts';
import { storedTrials } from '../storage/run-directory/stored-trials.ts';
import { conductRun, tell, type RunWork } from './conduct-run.ts';
import { createRun } from './create-run.ts';
import { caseDigester, createDigestList, type DigestList } from './digests.ts';
import { gradeStored, type StoredGrading } from './grade-stored.ts';
import { caseFinder, gradedSuites, takenCases } from './graded-suites.ts';
import { loadProject, type Project } from './load-project.ts';
import { modelSecretNames, openModels } from './models.ts';
import { outcomeOf } from './outcome.ts';
import { outputDirectory } from './output-directory.ts';
import { graderFactory } from './parts.ts';
import type { Presentation, RunOutcome } from './presentation.ts';
import { builtins } from './registry.ts';
import { reportersOf } from './reporters.ts';
import { repositoryState } from './repository-state.ts';
import type { Cassette } from './run-options.ts';

export interface GradeRequest {
  /** Directory, id, beginning of an id, or `latest`. */
  readonly run: string;
  /** Files to take cases and expectations from; empty: those of the run. */
  readonly suites: readonly string[];
  readonly cassette?: Cassette;
}

/** Trials that are graded at once. */
const CONCURRENCY = 10;

/** Grades what a run has stored with the graders of now, into a new run; the source is only read. */
export async function gradeRun(request: GradeRequest, presentation: Presentation): Promise<RunOutcome> {
  const { surroundings } = presentation;
  const runs = await outputDirectory(presentation.out, surroundings);
  const { paths: source, target } = findRun(request.run, runs, surroundings.cwd);
  const before = readManifest(source);
  const patterns = request.suites.length > 0 ? request.suites : before.suites.map(({ file }) => file);
  const options = { patterns, ...(before.config === undefined ? {} : { config: before.config.file }) };
  const project = await loadProject({ options, surroundings });
  const reporters = reportersOf(project.run.reporters, presentation);
  const digests = createDigestList();
  const sourced: Sourced = { source, before, target, project, digests };
  const cases = casesOf(sourced);
  const manifest = await gradeManifest(sourced, cases);
  const { lock, ...run } = createRun({
    prepared: {
      manifest,
      outputDirectory: runs,
      digests,
      environment: project.loaded.environment,
      secretNames: [...modelSecretNames(project.loaded), ...(project.run.redact?.names ?? [])],
      secretLiterals: writtenLiterals(project),
      redactPatterns: project.run.redact?.patterns ?? [],
    },
    surroundings,
    kind: 'grade',
    sourceRunId: before.id,
  });
  try {
    const models = openModels({
      loaded: project.loaded,
      cassette: request.cassette,
      cwd: surroundings.cwd,
      seed: before.seed,
      redactor: run.redactor,
    });
    const grading = storedGrading(sourced, { ...cases, models, directory: run.paths.directory });
    const result = await conductRun(
      {
        run,
        presentation,
        reporters,
        projectRoot: project.projectRoot,
        maxErrored: project.run.maxErrored,
        lastSequence: 0,
        fold: runFold(),
        repository: repositoryState(surroundings),
      },
      gradeAll({
        presentation,
        grading,
        trials: storedTrials(source),
        manifest: run.manifest,
        isWhole: before.state === 'completed',
      }),
    );
    return outcomeOf(result);
  } finally {
    lock.release();
  }
}

/** Secrets that stand in the config itself. */
function writtenLiterals({ loaded }: Project): readonly NamedSecret[] {
  const targets = [...loaded.written.values()].map(({ keys }) => keys);
  return literalSecrets([...targets, loaded.config.models]);
}

interface GradeWork {
  readonly presentation: Presentation;
  readonly grading: StoredGrading;
  readonly trials: ReturnType<typeof storedTrials>;
  readonly manifest: Manifest;
  /** Whether the source has all of its trials. */
  readonly isWhole: boolean;
}

function gradeAll({ presentation, grading, trials, manifest, isWhole }: GradeWork): RunWork {
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
    if (interrupt.stop.aborted) return 'interrupted';
    return isWhole ? 'completed' : 'stopped';
  };
}

/** The threshold that the source was held to: its flag, then the test as it is now, then its config. */
function thresholdsOf({ settings }: Manifest, { run }: Project): StoredGrading['thresholdOf'] {
  const { options, threshold } = settings as {
    readonly options?: { readonly threshold?: number };
    readonly threshold?: number;
  };
  return (testCase) => options?.threshold ?? testCase.threshold ?? threshold ?? run.threshold;
}

/** A stored run that is graded, and what grades it. */
interface Sourced {
  readonly source: RunPaths;
  readonly before: Manifest;
  /** Only this target of it. */
  readonly target: string | undefined;
  readonly project: Project;
  readonly digests: DigestList;
}

function casesOf({ project, digests }: Sourced) {
  const { projectRoot, suites } = project;
  const { graders } = builtins();
  return { find: caseFinder(suites), digestsOf: caseDigester({ digests, graders, projectRoot }) };
}

type Cases = ReturnType<typeof casesOf>;

async function gradeManifest(sourced: Sourced, { find, digestsOf }: Cases) {
  const { source, before, project, digests, target } = sourced;
  const { suites, projectRoot, loaded } = project;
  const taken = await takenCases(openRunReader(source).rows(), takesOf(sourced));
  const targets = before.targets.filter(({ name }) => target === undefined || name === target);
  return {
    ...(loaded.file === undefined ? {} : { config: { file: loaded.file, digest: loaded.digest } }),
    settings: before.settings,
    seed: before.seed,
    projectRoot,
    trials: taken.trials,
    suites: gradedSuites({ taken, caseOf: find, before, suites, digestsOf, digests }),
    targets: targets.map((each) => ({ ...each, digest: carriedOf(sourced)(each.digest) })),
  };
}

function takesOf({ target }: Sourced): StoredGrading['takes'] {
  return (row) => target === undefined || row.target === target;
}

function carriedOf({ before, digests }: Sourced): StoredGrading['carried'] {
  return (digest) => digests.numberOf(before.digests[digest] ?? '');
}

interface GradingParts extends Cases {
  readonly models: ModelDoor;
  /** Of the run that is made. */
  readonly directory: string;
}

function storedGrading(sourced: Sourced, parts: GradingParts): StoredGrading {
  const { source, before, project } = sourced;
  const { find, digestsOf, models, directory } = parts;
  return {
    takes: takesOf(sourced),
    caseOf: (row) => find(row)?.testCase,
    digestsOf,
    carried: carriedOf(sourced),
    moved: (row) => movedRow(row, source, directory),
    graderFor: graderFactory(builtins().graders, {
      environment: processEnvironment(project.loaded.environment),
      models,
    }),
    thresholdOf: thresholdsOf(before, project),
    sourceRunId: before.id,
    keyOf: trialKey,
  };
}
