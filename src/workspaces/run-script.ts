import { resolve } from 'node:path';

import { textOf } from '../core/message.ts';
import { firstLine } from '../core/user.ts';
import { trialVariables } from '../core/trial-variables.ts';
import type { WorkspaceScript } from '../core/test-case.ts';
import { given } from '../lib/given.ts';
import { runProcess, type ProcessResult } from '../lib/process/run-process.ts';
import { isBusy } from './busy.ts';
import type { PlacedJob } from './workspace-job.ts';

/** How a script failed, in words that follow its name; undefined when it succeeded. */
export interface ScriptFailure {
  readonly text: string;
  /** The end of its stderr; may be empty. */
  readonly stderr: string;
  /** Whether it failed only because the system was too busy to start it. */
  readonly transient: boolean;
}

export type ScriptOutcome = 'done' | 'aborted' | ScriptFailure;

/** Runs a script without a shell, in the folder of the eval file unless it sets another one. */
export async function runScript(
  script: WorkspaceScript & { readonly timeoutMs: number },
  job: PlacedJob,
  signal: AbortSignal,
): Promise<ScriptOutcome> {
  const { testCase, attempt, services } = job;
  const result = await runProcess(
    {
      command: rooted(script.script, testCase.directory),
      cwd: script.cwd ?? testCase.directory,
      env: { ...services.environment, ...script.env, ...variablesOf(job) },
      stdin: `${JSON.stringify(knowledge(job))}\n`,
      timeoutMs: script.timeoutMs,
      maxOutputBytes: Infinity,
      keepBytes: STDERR_BYTES,
      marker: { name: 'ASSAY_ATTEMPT', value: attempt.marker },
    },
    signal,
  );
  return outcomeOf(result, script.timeoutMs);
}

const STDERR_BYTES = 4096;

function knowledge({ testCase, directory, services }: PlacedJob) {
  return {
    workspace_path: directory,
    test_id: testCase.id,
    eval_run_id: services.evalRunId,
    case_input: textOf(firstLine(testCase)?.parts ?? []),
    case_metadata: testCase.metadata ?? null,
  };
}

/** The variables `ASSAY_...` of the processes of an attempt. */
export function variablesOf({ attempt, directory, services }: PlacedJob): Record<string, string> {
  const { trial, artifacts } = attempt;
  return {
    ...trialVariables({ trial, workspace: { directory }, artifactDirectory: artifacts.scratch() }),
    ...given({ ASSAY_OUTPUT_DIR: services.outputDirectory }),
  };
}

/** A command that starts with `./` is searched from the eval file, not from the working directory. */
function rooted(command: readonly string[], folder: string): readonly string[] {
  const [program = '', ...args] = command;
  return /^\.{1,2}(?:\/|$)/.test(program) ? [resolve(folder, program), ...args] : command;
}

function outcomeOf(result: ProcessResult, timeoutMs: number): ScriptOutcome {
  if (result.outcome === 'aborted') return 'aborted';
  const text = problemOf(result, timeoutMs);
  if (text === undefined) return 'done';
  const stderr = Buffer.from(result.stderr).toString().trimEnd();
  return { text, stderr, transient: result.outcome === 'spawn-failed' && isBusy(result.failure) };
}

/** How a program failed, in words that follow its name; undefined when it succeeded. */
export function problemOf(result: ProcessResult, timeoutMs: number): string | undefined {
  if (result.outcome === 'timeout') return `timed out after ${timeoutMs} ms`;
  if (result.outcome === 'spawn-failed') return `could not be started: ${result.failure.message}`;
  if (result.outcome !== 'exited') return 'was ended because it printed too much';
  if (result.exitCode === 0) return undefined;
  return result.signal === null ? `exited with code ${result.exitCode}` : `was ended by ${result.signal}`;
}
