import { MeasurementError } from '../core/errors.ts';
import type { WorkspaceScript } from '../core/test-case.ts';
import { runProcess, type ProcessResult } from '../lib/process/run-process.ts';
import { problemOf } from './run-script.ts';
import type { BootstrapRun, PlacedJob } from './workspace-job.ts';

export interface BootstrapPlace extends Pick<PlacedJob, 'directory' | 'attempt' | 'services'> {
  /** `ASSAY_...`; each is also set under its published name. */
  readonly variables: Readonly<Record<string, string>>;
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
  const { directory, attempt, services, variables } = place;
  const result = await runProcess(
    {
      command: script,
      cwd: directory,
      env: { ...services.operatorEnvironment, ...env, ...variables, ...published(variables) },
      timeoutMs,
      marker: { name: 'ASSAY_ATTEMPT', value: attempt.marker },
    },
    signal,
  );
  if (result.outcome === 'aborted') throw signal.reason;
  await attempt.artifacts.write('bootstrap.stdout.log', result.stdout);
  await attempt.artifacts.write('bootstrap.stderr.log', result.stderr);
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

interface Failed {
  readonly result: ProcessResult;
  readonly script: readonly string[];
  readonly place: BootstrapPlace;
}

function bootstrapError(problem: string, { result, script, place }: Failed): MeasurementError {
  const stderr = Buffer.from(result.stderr).toString().trimEnd().slice(-2000);
  const said = stderr === '' ? '' : `; its stderr ends:\n${stderr}`;
  return new MeasurementError(
    place.services.redact(`the bootstrap \`${script.join(' ')}\` ${problem}${said}`),
    {
      stage: 'workspace',
      kind: 'workspace-bootstrap',
      transient: result.outcome === 'timeout',
      hint: 'Run it by hand in a copy of the template; its output is in bootstrap.stdout.log and bootstrap.stderr.log.',
    },
  );
}
