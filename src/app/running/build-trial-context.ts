import type { Ledger } from '../../core/price.ts';
import type { ModelDoor } from '../../core/model.ts';
import type { KeptWorkspaces, OpenRun } from '../../core/run-store.ts';
import type { Verdict } from '../../core/verdict.ts';
import type { Workspace, Workspaces } from '../../core/workspace.ts';
import type { EventStream } from '../../engine/event-stream.ts';
import type { KeptAnswers } from '../../core/kept-answer.ts';
import type { Evidence, TrialContext } from '../../engine/trial-context.ts';
import { given } from '../../lib/given.ts';
import { OWN_TOKEN } from '../../lib/process/own-token.ts';
import { fileCleaner } from '../../storage/cleaning/file-cleaner.ts';
import { isolatedWorkspaces } from '../../workspaces/isolated.ts';
import { worldOpener } from './attempt-world.ts';
import { cleanKept } from './clean-kept.ts';
import { agentFinder } from './captured-agent.ts';
import { attemptConclusion } from './code-suites/conclude-attempt.ts';
import { graderSandboxes } from './grader-sandboxes.ts';
import { graderFactory } from './grader-factory.ts';
import { judgeFinder } from './judges.ts';
import type { BoundRun } from './bind.ts';
import { levelOf } from './sandbox-of-target.ts';
import { readsFiles } from './reads-files.ts';
import { stagedFolders } from './staged-folders.ts';
import { runVariables, type TargetPool } from './target-pool.ts';
import { caseIn } from './planned-cases.ts';
import { settingsIn } from './trial-settings.ts';
import { userFinder } from './users.ts';
import type { TokenBaselines } from './code-suites/token-baselines.ts';

/** What the trials of a run need of it. */
export interface TrialRun extends Pick<OpenRun, 'redactor' | 'artifacts' | 'workspaces'> {
  readonly manifest: Pick<OpenRun['manifest'], 'id'>;
  readonly stored: Pick<OpenRun['stored'], 'place'>;
}

export interface ContextInput {
  readonly bound: BoundRun;
  readonly run: TrialRun;
  readonly pool: TargetPool;
  readonly models: ModelDoor;
  readonly ledger: Ledger | undefined;
  readonly workspaces: Workspaces;
  readonly tokenBaselines?: TokenBaselines | undefined;
  /** Called when an artifact could not be written. */
  readonly onFailure: (error: unknown) => void;
  readonly evidence: Evidence;
  /** Absent: every agent is asked. */
  readonly answers?: KeptAnswers | undefined;
  readonly stream: EventStream;
  readonly now: () => number;
}

/** Combines what the engine needs for a trial. */
export function buildTrialContext(input: ContextInput): TrialContext {
  const { bound, run, pool, workspaces, onFailure, stream, now } = input;
  const { spec, machine, plan, use, judges } = bound;
  const { redactor } = run;
  const runId = run.manifest.id;
  const { models } = input;
  const judgeFor = judgeFinder({
    names: judges.names,
    targets: judges.use.targets,
    models,
    prepared: pool.prepared,
    purse: { ledger: input.ledger, limits: spec.settings.limits },
  });
  const graderFor = graderFactory(machine.graders, {
    environment: {
      ...use.processEnvironment,
      ...runVariables({ runId, outputDirectory: run.stored.place }),
    },
    models,
    redact: redactor.text,
    sandboxFor: graderSandboxes(machine.loaded, (name) => use.targets.get(name)?.sandbox ?? {}),
    judgeFor,
    agentOf: agentFinder((name) => {
      const used = use.targets.get(name);
      return used && { plugin: used.plugin, config: used.settings.config, tools: used.settings.tools };
    }),
  });
  let attempts = 0;
  return {
    runId,
    seed: spec.settings.seed,
    ...given({ ledger: input.ledger, answers: input.answers }),
    now,
    marker: () => `${OWN_TOKEN}-${++attempts}`,
    caseOf: (trial) => caseIn(plan, trial),
    settingsFor: settingsIn(bound),
    target: (name, signal) => pool.prepared(name, signal),
    userFor: userFinder({
      choice: bound.user,
      firstSpeaker: spec.options.firstSpeaker ?? 'user',
      models,
      judgeFor,
    }),
    graderFor,
    ...isolationIn(use),
    evidence: input.evidence,
    workspaces,
    openWorld: worldOpener(bound),
    conclude: attemptConclusion({
      code: machine.code,
      tokenBaselines: input.tokenBaselines,
      keepState: (source, target) => fileCleaner(redactor).keepState(source, target),
    }),
    artifacts: (trial, attempt) => run.artifacts(trial, attempt, onFailure),
    emit: stream.emit,
    settle: stream.settle,
  };
}

function isolationIn({
  targets,
}: BoundRun['use']): Required<Pick<TrialContext, 'isHermetic' | 'isolationOf'>> {
  return {
    isHermetic: (name) => {
      const used = targets.get(name);
      return used?.plugin.isHermetic?.(used.settings.config);
    },
    isolationOf: (name) => {
      const sandbox = targets.get(name)?.sandbox;
      return sandbox && levelOf(sandbox);
    },
  };
}

/** The workspaces of a run. Their shared folders are removed on disposal. */
export function openWorkspaces({
  bound: { use, machine, spec },
  run,
  warn,
}: Pick<ContextInput, 'bound' | 'run'> & {
  /** Called with warnings that appear only when shared directories are removed. */
  readonly warn: (text: string) => void;
}): Workspaces & AsyncDisposable {
  const isolated = isolatedWorkspaces({
    evalRunId: run.manifest.id,
    environment: use.processEnvironment,
    operatorEnvironment: machine.loaded.environment,
    sideBySide: spec.settings.schedule !== undefined,
    sharedDirectory: run.workspaces.directory,
    ...given({ root: machine.run.workspaceRoot }),
    outputDirectory: run.stored.place,
    redact: run.redactor.text,
    cleanKept: (directory) => cleanKept(directory, run.redactor),
    warn,
    needsDirectory: (target) => {
      const { plugin, sandbox = {} } = use.targets.get(target) ?? {};
      return plugin?.needsWorkspace === true || levelOf(sandbox) !== 'process';
    },
    isRead: ({ expectations }) => expectations.some((each) => readsFiles(each, machine.graders)),
    stagedFor: stagedFolders(use.targets, machine.loaded.directory),
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

/** Releases a workspace. A kept directory gets its name in rows. */
async function releaseInto({ nameOf }: KeptWorkspaces, workspace: Workspace, verdict: Verdict) {
  const { keptAt, warnings } = await workspace.release(verdict);
  return keptAt === undefined ? { warnings } : { keptAt: nameOf(keptAt), warnings };
}
