import { AssayError } from '../../core/errors.ts';
import type { Grader } from '../../core/grade.ts';
import type { Ledger } from '../../core/price.ts';
import type { ModelDoor } from '../../core/model.ts';
import type { GraderPlugin, GraderServices } from '../../core/plugin.ts';
import type { KeptWorkspaces, OpenRun } from '../../core/run-store.ts';
import type { Expectation, TestCase } from '../../core/test-case.ts';
import type { Verdict } from '../../core/verdict.ts';
import type { Workspace, Workspaces } from '../../core/workspace.ts';
import type { EventStream } from '../../engine/event-stream.ts';
import type { Parts } from '../../engine/parts.ts';
import { OWN_TOKEN } from '../../lib/process/own-token.ts';
import { fileCleaner } from '../../storage/run-directory/file-cleaner.ts';
import { isolatedWorkspaces } from '../../workspaces/isolated.ts';
import { worldOpener } from './attempt-world.ts';
import { cleanKept } from './clean-kept.ts';
import { agentFinder } from './captured-agent.ts';
import { attemptConclusion } from '../code-suites/conclude-attempt.ts';
import { judgeFinder } from '../judging/judges.ts';
import type { PreparedRun } from '../plan/prepare-run.ts';
import type { Surroundings } from '../run-options.ts';
import { stagedFolders } from '../plan/staged-folders.ts';
import { runVariables, type TargetPool } from './target-pool.ts';
import { userFinder } from './users.ts';
import type { TokenBaselines } from '../code-suites/token-baselines.ts';

export interface PartsInput {
  readonly prepared: PreparedRun;
  readonly run: OpenRun;
  readonly pool: TargetPool;
  readonly models: ModelDoor;
  readonly ledger: Ledger | undefined;
  readonly workspaces: Workspaces;
  readonly baselines?: TokenBaselines | undefined;
  /** An artifact could not be written. */
  readonly onFailure: (error: unknown) => void;
  readonly stream: EventStream;
  readonly surroundings: Surroundings;
}

/** Joins the families to what the engine needs for a trial. */
export function buildParts(input: PartsInput): Parts {
  const { prepared, run, pool, workspaces, onFailure, stream, surroundings } = input;
  const { redactor } = run;
  const runId = run.manifest.id;
  const { models } = input;
  const judgeFor = judgeFinder({
    ...prepared.judges,
    models,
    prepared: pool.prepared,
    purse: { ledger: input.ledger, limits: prepared.settings.limits },
  });
  const graderFor = graderFactory(prepared.graders, {
    environment: {
      ...prepared.processEnvironment,
      ...runVariables({ runId, outputDirectory: run.run.place }),
    },
    models,
    redact: redactor.text,
    judgeFor,
    agentOf: agentFinder((name) => {
      const used = prepared.targets.get(name);
      return used && { plugin: used.plugin, config: used.settings.config, tools: used.settings.tools };
    }),
  });
  let attempts = 0;
  return {
    runId,
    seed: prepared.settings.seed,
    ...(input.ledger === undefined ? {} : { ledger: input.ledger }),
    now: surroundings.now,
    marker: () => `${OWN_TOKEN}-${++attempts}`,
    caseOf: (trial) => prepared.caseOf(trial),
    settingsFor: (testCase, target) => prepared.settingsFor(testCase, target),
    target: (name, signal) => pool.prepared(name, signal),
    userFor: userFinder({ ...prepared.users, models, judgeFor }),
    graderFor,
    isHermetic: (name) => {
      const used = prepared.targets.get(name);
      return used?.plugin.isHermetic?.(used.settings.config);
    },
    workspaces,
    openWorld: worldOpener(prepared),
    conclude: attemptConclusion({
      code: prepared.code,
      baselines: input.baselines,
      keepState: (source, target) => fileCleaner(redactor).keepState(source, target),
    }),
    artifacts: (trial, attempt) => run.artifacts(trial, attempt, onFailure),
    emit: stream.emit,
    settle: stream.settle,
  };
}

/** The workspaces of a run; what they share is removed when they are disposed. */
export function openWorkspaces({
  prepared,
  run,
  warn,
}: Pick<PartsInput, 'prepared' | 'run'> & {
  /** Gets what is known only when directories that several trials used are put away. */
  readonly warn: (text: string) => void;
}): Workspaces & AsyncDisposable {
  const isolated = isolatedWorkspaces({
    evalRunId: run.manifest.id,
    environment: prepared.processEnvironment,
    operatorEnvironment: prepared.environment,
    sideBySide: prepared.settings.schedule !== undefined,
    sharedDirectory: run.workspaces.directory,
    ...(prepared.settings.workspaceRoot === undefined ? {} : { root: prepared.settings.workspaceRoot }),
    outputDirectory: run.run.place,
    redact: run.redactor.text,
    cleanKept: (directory) => cleanKept(directory, run.redactor),
    warn,
    needsDirectory: (target) => prepared.targets.get(target)?.plugin.needsWorkspace ?? false,
    stagedFor: stagedFolders(prepared.targets, prepared.configDirectory),
    keptDirectory: run.workspaces.placeOf,
  });
  return {
    prepare: async (...asked) => {
      const workspace = await isolated.prepare(...asked);
      return (
        workspace && { ...workspace, release: (verdict) => releaseInto(run.workspaces, workspace, verdict) }
      );
    },
    [Symbol.asyncDispose]: () => isolated[Symbol.asyncDispose](),
  };
}

/** Names the kept directory as rows do. */
async function releaseInto({ nameOf }: KeptWorkspaces, workspace: Workspace, verdict: Verdict) {
  const { keptAt, warnings } = await workspace.release(verdict);
  return keptAt === undefined ? { warnings } : { keptAt: nameOf(keptAt), warnings };
}

/** Finds the grader of an expectation; composites find their members the same way. */
export function graderFactory(
  plugins: ReadonlyMap<string, GraderPlugin>,
  shared: Omit<GraderServices, 'directory' | 'graderFor'>,
): (expectation: Expectation, testCase: Pick<TestCase, 'directory'>) => Grader {
  const services = new Map<string, GraderServices>();
  const servicesIn = (directory: string): GraderServices => {
    const known = services.get(directory);
    if (known !== undefined) return known;
    const made: GraderServices = {
      directory,
      ...shared,
      graderFor: (member) => graderFor(member, { directory }),
    };
    services.set(directory, made);
    return made;
  };
  const graderFor = (expectation: Expectation, testCase: Pick<TestCase, 'directory'>): Grader => {
    const plugin = plugins.get(expectation.type);
    if (plugin === undefined) {
      throw new AssayError('unknown-grader', `there is no grader of type "${expectation.type}"`, {
        stage: 'grading',
      });
    }
    return plugin.create(expectation.config, servicesIn(expectation.directory ?? testCase.directory));
  };
  return graderFor;
}
