import { MeasurementError } from '../core/errors.ts';
import type { Artifacts } from '../core/target.ts';
import type { WorkspaceScript } from '../core/test-case.ts';
import { runProcess, type ProcessResult } from '../lib/process/run-process.ts';

export interface BootstrapPlace {
  /** Absolute; its working directory. */
  readonly directory: string;
  /** The operator's whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** `ASSAY_...`; each is also set under its published name. */
  readonly variables: Readonly<Record<string, string>>;
  readonly marker: string;
  /** Receive its output. */
  readonly artifacts: Artifacts;
  redact(text: string): string;
}

/** What a bootstrap did, for `workspace.json`. */
export interface BootstrapRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly exitCode: number | null;
  readonly durationMs: number;
}

/** How it ended; after a failure nothing may continue. */
export interface BootstrapEnd {
  readonly bootstrap: BootstrapRun;
  readonly failure?: MeasurementError;
}

const TIMEOUT_MS = 120_000;

/** Runs the program that prepares a workspace, without a shell. */
export async function runBootstrap(
  { script, timeoutMs = TIMEOUT_MS, env }: WorkspaceScript,
  place: BootstrapPlace,
  signal: AbortSignal,
): Promise<BootstrapEnd> {
  const result = await runProcess(
    {
      command: script,
      cwd: place.directory,
      env: { ...place.environment, ...env, ...place.variables, ...published(place.variables) },
      timeoutMs,
      marker: { name: 'ASSAY_ATTEMPT', value: place.marker },
    },
    signal,
  );
  if (result.outcome === 'aborted') throw signal.reason;
  await place.artifacts.write('bootstrap.stdout.log', result.stdout);
  await place.artifacts.write('bootstrap.stderr.log', result.stderr);
  const problem = problemOf(result, timeoutMs);
  const [command = '', ...args] = script;
  const { exitCode, durationMs } = result;
  const bootstrap = { command, args, exitCode, durationMs: Math.round(durationMs) };
  if (problem === undefined) return { bootstrap };
  return { bootstrap, failure: bootstrapError(problem, { result, script, place }) };
}

/** The names of the suite runner whose format this is. */
function published(variables: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name.replace(/^ASSAY_/, 'SKILLGYM_').replace(/_TARGET_ID$/, '_RUNNER_ID'),
      value,
    ]),
  );
}

function problemOf(result: ProcessResult, timeoutMs: number): string | undefined {
  if (result.outcome === 'timeout') return `timed out after ${timeoutMs} ms`;
  if (result.outcome === 'spawn-failed') return `could not be started: ${result.failure.message}`;
  if (result.outcome !== 'exited') return 'was ended because it printed too much';
  if (result.exitCode === 0) return undefined;
  return result.signal === null ? `exited with code ${result.exitCode}` : `was ended by ${result.signal}`;
}

interface Failed {
  readonly result: ProcessResult;
  readonly script: readonly string[];
  readonly place: BootstrapPlace;
}

function bootstrapError(problem: string, { result, script, place }: Failed): MeasurementError {
  const stderr = Buffer.from(result.stderr).toString().trimEnd().slice(-2000);
  const said = stderr === '' ? '' : `; its stderr ends:\n${stderr}`;
  return new MeasurementError(place.redact(`the bootstrap \`${script.join(' ')}\` ${problem}${said}`), {
    stage: 'workspace',
    kind: 'workspace-bootstrap',
    transient: result.outcome === 'timeout',
    hint: 'Run it by hand in a copy of the template; its output is in bootstrap.stdout.log and bootstrap.stderr.log.',
  });
}
