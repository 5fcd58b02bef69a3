import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { processEnvironment } from '../authoring/config/resolve-target.ts';
import { EXIT } from './exit-code.ts';
import { errorRecord } from '../core/errors.ts';
import { matchesAny, tagsSelect } from '../core/selection.ts';
import { knownCases, type TestCase } from '../core/test-case.ts';
import { trialKey } from '../core/trial.ts';
import type { Workspace, Workspaces } from '../core/workspace.ts';
import { workspacesOfRun } from '../workspaces/workspaces-of-run.ts';
import { asksAnyJudge } from './binding/with-members.ts';
import { redactorFor } from './binding/redactor.ts';
import { runsIn } from './runs.ts';
import { directoryOfRuns } from './project/output-directory.ts';
import { projectSecrets } from './judging/project-secrets.ts';
import type { Project } from './binding/machine.ts';
import { loadProject } from './planning/load/load-project.ts';
import { openJudging, resolveJudges } from './judging/open-judging.ts';
import { graderFactory } from './binding/grader-factory.ts';
import { proofReport, type ProofReport } from './proof/proof-report.ts';
import { proveCase, type CaseProof, type Proving } from './proof/prove-case.ts';
import { ledgerFor } from './binding/run-money.ts';
import type { RunOptions } from '../core/run-options.ts';
import type { Surroundings } from './surroundings.ts';

export interface VerifyRequest extends Pick<
  RunOptions,
  | 'patterns'
  | 'cases'
  | 'tags'
  | 'limit'
  | 'config'
  | 'judge'
  | 'stored'
  | 'select'
  | 'cassette'
  | 'maxCostUsd'
  | 'allowUnknownCost'
> {
  /** Number of parallel cases. */
  readonly concurrency?: number;
  readonly makesMutants: boolean;
}

const CONCURRENCY = 10;

/** Used in place of a run id. */
const VERIFYING = 'verify-graders';

/** Grades answers of known quality to test the graders. Starts no target. */
export async function verifyGraders(
  request: VerifyRequest,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<ProofReport> {
  const project = await loadProject({ options: request, surroundings });
  const { run } = project;
  const chosen = chosenCases(project, request);
  const judges = await resolveJudges(project, request, [targetOf(project)]);
  const redactor = redactorFor(projectSecrets(project, judges.secretNames));
  const runs = runsIn(await directoryOfRuns(project, request, surroundings), surroundings);
  const place = { runs, cwd: surroundings.cwd };
  const ledger = ledgerFor(request);
  await using judging = openJudging({
    project,
    judges,
    cassette: request.cassette,
    seed: 0,
    redactor,
    ledger,
    runId: VERIFYING,
    place,
  });
  await using workspaces = await passingWorkspaces(project, redactor.text);
  const { graders } = project;
  const graderFor = graderFactory(graders, judging.services);
  const prove = async ({ suite, testCase }: ChosenCase): Promise<CaseProof> => {
    let workspace: Workspace | undefined;
    try {
      workspace = await workspaces.prepare({ suite, testCase, target: targetOf(project) }, signal);
      return await proveCase({
        suite,
        testCase,
        target: targetOf(project),
        workspace,
        threshold: testCase.threshold ?? run.threshold,
        graderFor,
        asksJudge: (expectation) => asksAnyJudge(expectation, graders),
        bringsOracle: ({ type, config }) => graders.get(type)?.bringsOracle?.(config) === true,
        makesMutants: request.makesMutants,
        signal,
      } satisfies Proving);
    } catch (error) {
      signal.throwIfAborted();
      return unproven(suite, testCase.id, error);
    } finally {
      await workspace?.endProcesses();
      await workspace?.release('passed');
    }
  };
  const report = proofReport(await pooled(chosen, request.concurrency ?? CONCURRENCY, prove));
  return ledger?.refused() === undefined ? report : { ...report, exitCode: EXIT.budget };
}

/** The result if no workspace could be created, so the graders could not be tested. */
function unproven(suite: string, caseId: string, thrown: unknown): CaseProof {
  const error = errorRecord(thrown, { stage: 'workspace', kind: 'workspace-setup' });
  const decision = { verdict: 'errored', score: null, fallenGates: [], ungraded: 0, error } as const;
  const graded = { grades: [], decision };
  return { suite, caseId, oracle: graded, nop: graded, mutants: [] };
}

interface ChosenCase {
  readonly suite: string;
  readonly testCase: TestCase;
}

function chosenCases(
  { suites }: Project,
  { cases, tags = [], limit }: Pick<VerifyRequest, 'cases' | 'tags' | 'limit'>,
): readonly ChosenCase[] {
  const all = suites.flatMap(({ id: suite, cases: list }) =>
    Array.from(knownCases(list), (testCase) => ({ suite, testCase })),
  );
  return all
    .filter(({ testCase }) => cases.length === 0 || matchesAny(testCase.id, cases))
    .filter(({ testCase }) => tagsSelect(testCase.tags, { tags, excludeTags: [] }))
    .slice(0, limit);
}

/** The name of a target, used only to find its judge. */
function targetOf({ loaded }: Project): string {
  return loaded.config.target ?? [...loaded.written.keys()][0] ?? 'oracle';
}

/** Fresh workspaces as for a trial, removed after the proof. */
async function passingWorkspaces(project: Project, redact: (text: string) => string) {
  const root = await mkdtemp(join(tmpdir(), 'assay-verify-'));
  const workspaces: Workspaces & AsyncDisposable = workspacesOfRun({
    evalRunId: VERIFYING,
    environment: processEnvironment(project.loaded.environment),
    needsDirectory: () => false,
    isRead: () => false,
    outputDirectory: root,
    redact,
    keptDirectory: (trial) => join(root, trial.caseId.replaceAll(/\W/g, '-')),
  });
  return {
    prepare: async (
      { suite, testCase, target }: ChosenCase & { readonly target: string },
      signal: AbortSignal,
    ): Promise<Workspace | undefined> => {
      if (testCase.workspace === undefined) return undefined;
      const id = { suite, caseId: testCase.id, target, repetition: 1 };
      const attempt = {
        trial: { runId: VERIFYING, key: trialKey(id), attempt: 1, seed: 0, ...id },
        marker: `verify-${randomBytes(8).toString('hex')}`,
        artifacts: {
          directory: () => root,
          scratch: () => root,
          write: async () => {},
          stream: () => ({ write: () => {}, end: () => {} }),
        },
      };
      const plan: TestCase = { ...testCase, workspace: { ...testCase.workspace, keep: 'never' } };
      const workspace = await workspaces.prepare(plan, attempt, signal);
      await workspace?.endProcesses();
      await workspace?.capture(signal);
      return workspace;
    },
    async [Symbol.asyncDispose]() {
      await workspaces[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Processes items with limited concurrency. Returns the results in order. */
async function pooled<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as Item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return results;
}
