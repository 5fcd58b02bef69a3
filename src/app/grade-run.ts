import type { Ledger } from '../core/price.ts';
import type { Manifest } from '../core/manifest.ts';
import type { ListedRun, RunStore, StoredRun, StoredTrial } from '../core/run-store.ts';
import { runSchedule } from '../engine/run-schedule.ts';
import { streamedSchedule } from '../engine/streamed-schedule.ts';
import { given } from '../lib/given.ts';
import { storedAgents } from './binding/captured-agent.ts';
import { judgeIdentity } from './planning/judge-identity.ts';
import { regradedClass } from './running/code-suites/classify-attempt.ts';
import { orDiscard } from './conduct/or-discard.ts';
import { presentRun, type PresentedRun } from './conduct/present-run.ts';
import type { RunWork } from './running/execute-run.ts';
import { logFact } from './running/log-fact.ts';
import { createRun } from './running/create-run.ts';
import { redactorFor } from './binding/redactor.ts';
import { caseDigester, createDigestList, type DigestList } from './planning/digests.ts';
import { sourceListing } from './regrade/source-listing.ts';
import { sandboxesBefore } from './regrade/sandboxes-before.ts';
import { storedLevels } from './regrade/stored-levels.ts';
import { regrading, type StoredGrading } from './regrade/regrading.ts';
import { caseFinder, gradedSuites, takenCases } from './regrade/graded-suites.ts';
import { loadAgain } from './regrade/load-again.ts';
import type { Project } from './binding/machine.ts';
import { type JudgesOnly, openJudging, resolveJudges } from './judging/open-judging.ts';
import { freezeGraded } from './regrade/freeze-graded.ts';
import { openRuns, runsLike } from './runs.ts';
import { graderSandboxes } from './binding/grader-sandboxes.ts';
import { graderFactory } from './binding/grader-factory.ts';
import type { RunOutcome, RunSite } from './conduct/run-site.ts';
import { targetPlugins } from './registry.ts';
import { refuseStranger } from './project/trust-run.ts';
import { projectSecrets } from './judging/project-secrets.ts';
import { reportersOf, sayUncalled } from './present/reporters.ts';
import { ledgerFor } from './binding/run-money.ts';
import { repositoryState } from './project/repository-state.ts';
import type { GradeRequest } from './regrade/grade-request.ts';
import { runStart } from './running/run-start.ts';

/** Number of trials that are graded in parallel. */
const CONCURRENCY = 10;

/**
 * Grades the stored trials of a run with the current graders, into a new run of the same line. The source is not changed.
 */
export async function gradeRun(
  request: GradeRequest,
  site: RunSite,
  listed: ListedRun = { origin: 'cli' },
): Promise<RunOutcome> {
  const { surroundings } = site;
  const source = await (await openRuns(site.out, surroundings)).find(request.run);
  const { line } = (await sourceListing(source.run, surroundings)) ?? {};
  const runs = await runsLike(source.run, site.out, surroundings);
  const before = await source.run.manifest();
  await refuseStranger(
    { stored: source.run, manifest: before },
    { isTrusted: request.isTrusted, confirm: site.confirm },
    surroundings,
  );
  const names = before.targets.map(({ name }) => name);
  const judgesIn = (project: Project) => resolveJudges(project, request, names);
  const project = await loadAgain(request, { source, before, check: judgesIn }, surroundings);
  const reporters = await reportersOf(project.run.reporters, site);
  sayUncalled(reporters, site.presentation);
  const judges = await judgesIn(project);
  const digests = createDigestList();
  const sourced: Sourced = {
    source: source.run,
    before,
    target: source.target,
    project,
    digests,
    judge: request.judge,
    isSelected: request.select !== undefined,
  };
  const cases = casesOf(sourced);
  const run = await createRun({
    runs,
    redactor: redactorFor(projectSecrets(project, judges.secretNames)),
    surroundings,
    listed: { ...listed, ...given({ line: line ?? undefined }) },
    manifest: {
      kind: 'grade',
      sourceRunId: before.id,
      ...(await gradeManifest(sourced, cases)),
      digests: digests.list,
      hermetic: before.hermetic,
      isolation: before.isolation,
    },
  });
  return await orDiscard(run, site, async (watched) => {
    await run.keepFrozen(source.run.frozen());
    await freezeGraded(source.run.rows(), { ...project, ...cases, digests, takes: takesOf(sourced) }, run);
    return await gradeInto({ request, sourced, cases, judges, runs, reporters, run, site: watched });
  });
}

interface Grading {
  readonly request: GradeRequest;
  readonly sourced: Sourced;
  readonly cases: Cases;
  readonly judges: JudgesOnly;
  readonly reporters: PresentedRun['reporters'];
  readonly runs: RunStore;
  readonly run: PresentedRun['run'];
  readonly site: RunSite;
}

/** Grades every stored trial into the new run, then closes judges that are targets. */
async function gradeInto(work: Grading): Promise<RunOutcome> {
  const { request, sourced, cases, judges, reporters, runs, run, site } = work;
  const { project, before, source } = sourced;
  const { surroundings } = site;
  const ledger = ledgerFor(request);
  await using judging = openJudging({
    project,
    judges,
    cassette: request.cassette,
    seed: before.seed,
    redactor: run.redactor,
    ledger,
    runId: run.manifest.id,
    outputDirectory: run.stored.place,
    place: { runs, cwd: surroundings.cwd },
  });
  const { services } = judging;
  const grading = await storedGrading(sourced, {
    ...cases,
    services: {
      ...services,
      agentOf: await storedAgents(before),
      sandboxFor: graderSandboxes(
        project.loaded,
        sandboxesBefore(project.loaded, await storedLevels(source, before)),
      ),
    },
    made: run.stored,
  });
  const { manifest } = run;
  const isWhole = before.state === 'completed';
  return await presentRun(
    {
      run,
      site,
      reporters,
      projectRoot: project.projectRoot,
      maxErrored: project.run.maxErrored,
      repository: repositoryState(surroundings),
      ledger,
    },
    gradeAll({ grading, trials: source.trials(), manifest, isWhole, ledger }),
  );
}

interface GradeWork {
  readonly grading: StoredGrading;
  readonly trials: AsyncIterable<StoredTrial>;
  readonly manifest: Manifest;
  /** Whether the source ran all of its trials. */
  readonly isWhole: boolean;
  readonly ledger: Ledger | undefined;
}

function gradeAll({ grading, trials, manifest, isWhole, ledger }: GradeWork): RunWork {
  return async ({ stream, control, now }) => {
    logFact(stream, now, runStart(manifest));
    const work = regrading(trials, grading, { ...stream, now });
    await using schedule = streamedSchedule(work.trials());
    const state = await runSchedule({
      schedule,
      context: work.context,
      runOne: work.runOne,
      concurrency: CONCURRENCY,
      control,
      failFast: false,
      mustEnd: () => ledger?.refused() !== undefined,
    });
    return state === 'completed' && !isWhole ? 'stopped' : state;
  };
}

/** The threshold of the source: its flag, then the current test, then its config. */
function thresholdsOf({ settings }: Manifest, { run }: Project): StoredGrading['thresholdOf'] {
  const { options, threshold } = settings;
  return (testCase) => options?.threshold ?? testCase.threshold ?? threshold ?? run.threshold;
}

/** Decides from the stored targets of the source. */
async function tellersOf({ targets }: Manifest): Promise<StoredGrading['tellsToolCalls']> {
  const plugins = await targetPlugins(targets.map(({ type }) => type));
  const telling = targets.filter(({ type, config }) => plugins.get(type)?.tellsToolCalls?.(config) === true);
  const names = new Set(telling.map(({ name }) => name));
  return (target) => names.has(target);
}

/** A stored run to grade, with the suites that grade it. */
interface Sourced {
  readonly source: StoredRun;
  readonly before: Manifest;
  /** Grade only this target. */
  readonly target: string | undefined;
  readonly project: Project;
  readonly digests: DigestList;
  /** Target to use as the judge, instead of every other judge. */
  readonly judge: string | undefined;
  /** Whether only the loaded cases are graded. */
  readonly isSelected: boolean;
}

function casesOf({ project, digests, judge }: Sourced) {
  const { suites, loaded } = project;
  const identityOf = judgeIdentity(loaded, judge);
  return {
    find: caseFinder(suites),
    digestsOf: caseDigester({ ...project, digests, identityOf }),
  };
}

type Cases = ReturnType<typeof casesOf>;

async function gradeManifest(sourced: Sourced, { find, digestsOf }: Cases) {
  const { source, before, project, digests, target } = sourced;
  const { suites, projectRoot, loaded } = project;
  const taken = await takenCases(source.rows(), takesOf(sourced));
  const targets = before.targets.filter(({ name }) => target === undefined || name === target);
  return {
    ...(loaded.file === undefined ? {} : { config: { file: loaded.file, digest: loaded.digest } }),
    ...given({ chosenFrom: before.chosenFrom, partial: before.partial }),
    settings: before.settings,
    seed: before.seed,
    projectRoot,
    trials: taken.trials,
    suites: gradedSuites({ taken, caseOf: find, before, suites, digestsOf, digests }),
    targets: targets.map((each) => ({ ...each, digest: carriedOf(sourced)(each.digest) })),
  };
}

function takesOf({ target, isSelected, project }: Sourced): StoredGrading['takes'] {
  const find = caseFinder(isSelected ? project.suites : []);
  return (row) => (target === undefined || row.target === target) && (!isSelected || find(row) !== undefined);
}

function carriedOf({ before, digests }: Sourced): StoredGrading['carried'] {
  return (digest) => digests.numberOf(before.digests[digest] ?? '');
}

interface GradingTools extends Cases {
  readonly services: Parameters<typeof graderFactory>[1];
  /** The new run. */
  readonly made: StoredRun;
}

async function storedGrading(sourced: Sourced, tools: GradingTools): Promise<StoredGrading> {
  const { source, before, project } = sourced;
  const { find, digestsOf, services, made } = tools;
  return {
    takes: takesOf(sourced),
    caseOf: (row) => find(row)?.testCase,
    digestsOf,
    carried: carriedOf(sourced),
    moved: (row) => source.movedRow(row, made),
    graderFor: graderFactory(project.graders, services),
    tellsToolCalls: await tellersOf(before),
    conclude: (ended) => regradedClass(ended, project.code),
    thresholdOf: thresholdsOf(before, project),
    source: { runId: before.id, seed: before.seed },
    placeOf: made.placeOf,
    artifact: (trial, named) => source.artifact(trial, named),
  };
}
