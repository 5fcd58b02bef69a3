import { resolve } from 'node:path';

import type { Finding, Subject } from '../core/grade.ts';
import type { GraderServices } from '../core/plugin.ts';
import { trialVariables } from '../core/trial-variables.ts';
import { decodeUtf8 } from '../lib/process/decode-utf8.ts';
import { GRADER_MARKER, ownMarker } from '../lib/process/own-token.ts';
import { runProcess, type ProcessResult } from '../lib/process/run-process.ts';
import { findingOf, ScriptError, type ScriptEnd } from './code-judge-result.ts';
import { commandOf, type ScriptConfig } from './code-judge-script.ts';

/** The input of a script, and how its output is read. */
export interface ScriptQuestion {
  /** JSON on its stdin. */
  readonly document: string;
  /** `ASSAY_...` of its trial. */
  readonly variables: Readonly<Record<string, string>>;
  readonly services: GraderServices;
  readonly read?: (end: ScriptEnd) => Finding;
}

/** Runs a script and reads its grade. Rejects when the output is not a grade. */
export async function askScript(
  config: ScriptConfig,
  { document, variables, services, read = findingOf }: ScriptQuestion,
  signal: AbortSignal,
): Promise<Finding> {
  const { directory, environment } = services;
  const result = await runProcess(
    {
      command: commandOf(config, directory),
      cwd: resolve(directory, config.cwd ?? '.'),
      env: { ...environment, ...config.env, ...variables },
      stdin: document,
      timeoutMs: config.timeout_ms,
      graceMs: 2_000,
      drainMs: 500,
      marker: { name: GRADER_MARKER, value: ownMarker() },
    },
    signal,
  );
  signal.throwIfAborted();
  return read(ranToItsEnd(result, config, directory));
}

/** Environment variables that identify the graded trial. */
export function scriptVariables(subject: Subject): Readonly<Record<string, string>> {
  const { runId, target, workspace } = subject;
  return trialVariables({ trial: { caseId: subject.case.id, runId, target }, workspace });
}

function ranToItsEnd(result: ProcessResult, config: ScriptConfig, directory: string): ScriptEnd {
  const { outcome, exitCode, signal } = result;
  const end = { exitCode, signal, stdout: decodeUtf8(result.stdout), stderr: decodeUtf8(result.stderr) };
  switch (outcome) {
    case 'exited':
      return end;
    case 'spawn-failed':
      throw new ScriptError(
        `the script could not be started: ${result.failure.message}`,
        end,
        `a command that starts with ./ or ../ is relative to ${directory}; any other is looked up on PATH`,
      );
    case 'timeout':
      throw new ScriptError(
        `the script timed out after ${config.timeout_ms} ms`,
        end,
        'raise `timeout_ms`, or make the script faster',
      );
    case 'output-limit':
      throw new ScriptError(
        'the script was ended because it printed more than 32 MB',
        end,
        'print only the grade',
      );
    case 'aborted':
      throw new ScriptError('the script was ended because the run was cancelled', end);
    default:
      return outcome satisfies never;
  }
}
