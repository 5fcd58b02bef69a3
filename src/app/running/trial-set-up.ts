import type { Ledger } from '../../core/price.ts';
import type { ModelDoor } from '../../core/model.ts';
import type { TargetVersions } from '../../core/target.ts';
import type { Workspaces } from '../../core/workspace.ts';
import type { SharedLimits } from '../../core/shared-limits.ts';
import type { Evidence, TrialContext, TrialRecord } from '../../engine/trial-context.ts';
import { given } from '../../lib/given.ts';
import { OWN_TOKEN } from '../../lib/process/own-token.ts';
import { fileCleaner } from '../../storage/cleaning/file-cleaner.ts';
import { toolsOpener } from '../binding/open-tools.ts';
import { agentFinder } from '../binding/captured-agent.ts';
import { attemptConclusion } from './code-suites/conclude-attempt.ts';
import { graderSandboxes } from '../binding/grader-sandboxes.ts';
import { graderFactory } from '../binding/grader-factory.ts';
import { judgeFinder } from '../binding/judges.ts';
import type { BoundRun } from '../binding/bind.ts';
import { boundModels } from '../binding/bound-models.ts';
import { storedAnswers } from '../binding/stored-answers.ts';
import { levelOf } from '../binding/sandbox-of-target.ts';
import { openTargetPool, runVariables, type TargetPool } from '../binding/target-pool.ts';
import { caseIn } from '../binding/planned-cases.ts';
import { settingsIn } from '../binding/trial-settings.ts';
import { userFinder } from '../binding/users.ts';
import type { TokenBaselines } from './code-suites/token-baselines.ts';
import { watchEvidence } from './evidence.ts';
import type { TrialRun } from './trial-run.ts';
import { trialWorkspaces } from './trial-workspaces.ts';

export interface TrialSetUpRequest {
  readonly bound: BoundRun;
  readonly run: TrialRun;
  /** Undefined: no cost limit. */
  readonly ledger: Ledger | undefined;
  /** The limits of keys that workers share. */
  readonly limits?: SharedLimits;
  readonly tokenBaselines?: TokenBaselines | undefined;
  /** Called with warnings about the run. */
  readonly warn: (text: string) => void;
  /** Called when something that grades has changed. */
  readonly onTampered: () => void;
  readonly now: () => number;
}

/** What the trials of a run share in one process: targets, models, workspaces. */
export interface TrialSetUp extends AsyncDisposable {
  contextFor(record: TrialRecord): TrialContext;
  /** Program versions that targets report. */
  versions(): TargetVersions;
}

/** Opens what the trials of a run share, on its conductor and on a worker. */
export function openTrialSetUp(request: TrialSetUpRequest): TrialSetUp {
  const { bound, run, ledger, warn, limits, onTampered } = request;
  const { spec, machine, use, judges } = bound;
  const models = boundModels(bound, run.redactor, { ledger, warn, limits });
  const pool = openTargetPool({
    runId: run.manifest.id,
    targets: new Map([...judges.use.targets, ...use.targets]),
    directory: machine.loaded.directory,
    models,
    storedRun: (reference) => storedAnswers(spec.replays[reference] ?? reference, machine.runs),
    warn,
  });
  const workspaces = trialWorkspaces(request);
  const evidence = watchEvidence(bound, onTampered);
  const shared = sharedContext(request, { pool, models, workspaces, evidence });
  return {
    contextFor: (record) => ({ ...shared, ...record }),
    versions: pool.versions,
    async [Symbol.asyncDispose]() {
      await workspaces[Symbol.asyncDispose]();
      await pool[Symbol.asyncDispose]();
    },
  };
}

interface OpenedParts {
  readonly pool: TargetPool;
  readonly models: ModelDoor;
  readonly workspaces: Workspaces;
  readonly evidence: Evidence;
}

/** All that the engine needs for a trial, apart from its record. */
function sharedContext(
  { bound, run, ledger, tokenBaselines, now }: TrialSetUpRequest,
  { pool, models, workspaces, evidence }: OpenedParts,
): Omit<TrialContext, keyof TrialRecord> {
  const { spec, machine, plan, use, judges } = bound;
  const { redactor } = run;
  const runId = run.manifest.id;
  const judgeFor = judgeFinder({
    names: judges.names,
    targets: judges.use.targets,
    models,
    prepared: pool.prepared,
    purse: { ledger, limits: spec.settings.limits },
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
    ...given({ ledger }),
    now,
    marker: () => `${OWN_TOKEN}-${++attempts}`,
    caseOf: (trial) => caseIn(plan, trial),
    settingsFor: settingsIn(bound),
    target: pool.prepared,
    userFor: userFinder({
      choice: bound.user,
      firstSpeaker: spec.options.firstSpeaker ?? 'user',
      models,
      judgeFor,
    }),
    graderFor,
    ...isolationIn(use),
    unenforcedOf: pool.unenforced,
    evidence,
    workspaces,
    openTools: toolsOpener(bound),
    conclude: attemptConclusion({
      code: machine.code,
      tokenBaselines,
      keepState: (source, target) => fileCleaner(redactor).keepState(source, target),
    }),
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
