import { MeasurementError } from '../core/errors.ts';
import type { TargetServices } from '../core/plugin.ts';
import type { Entered, ProgramStart, ProgramNeeds } from '../core/sandbox.ts';
import type { World } from '../core/target.ts';
import { given } from '../lib/given.ts';
import { findProgram } from '../lib/process/find-program.ts';
import { runProcess, type ProcessResult, type ProcessSpec } from '../lib/process/run-process.ts';
import { namedFiles } from './named-files.ts';

/** Whether the programs of a target run apart from this machine. */
export function isSandboxed({ sandbox }: Pick<TargetServices, 'sandbox'>): boolean {
  return sandbox !== undefined && sandbox.level !== 'process';
}

/** Opens the sandbox of one start of a target's program. */
export type Enter = (start: ProgramStart) => Promise<Entered>;

/** How one start in a sandbox ended. */
export type SandboxedResult = ProcessResult & {
  /** Present when the sandbox itself could not be started. */
  readonly sandboxFailure?: MeasurementError;
};

/** Runs a program in a sandbox, and closes what was opened for it. Without `enter`: in an ordinary process. */
export async function runEntered(
  spec: ProcessSpec,
  enter: Enter | undefined,
  signal: AbortSignal,
): Promise<SandboxedResult> {
  if (enter === undefined) return await runProcess(spec, signal);
  const { command, cwd, marker } = spec;
  // An engine does not pass its own environment on to the program.
  const env = marker === undefined ? spec.env : { ...spec.env, [marker.name]: marker.value };
  await using entered = await enter({ command, cwd, env });
  const result = await withUnread(await runProcess({ ...spec, ...entered.start }, signal), entered, spec);
  const sandboxFailure = result.outcome === 'exited' ? await entered.failureOf(result) : undefined;
  // What was still running in a sandbox ends with it.
  return { ...result, strays: 0, ...given({ sandboxFailure }) };
}

/** Adds what the sandbox did not pass on, as if it had come at the end. */
async function withUnread(
  result: ProcessResult,
  entered: Entered,
  spec: ProcessSpec,
): Promise<ProcessResult> {
  if (result.outcome !== 'exited') return result;
  const rest = await entered.unread?.(result.read);
  if (rest === undefined) return result;
  const { stdout, stderr } = rest;
  if (stdout.length > 0) spec.onStdout?.(stdout);
  if (stderr.length > 0) spec.onStderr?.(stderr);
  const joined = (before: Uint8Array, after: Uint8Array): Uint8Array => {
    const whole = Buffer.concat([before, after]);
    return whole.subarray(Math.max(0, whole.length - (spec.keepBytes ?? whole.length)));
  };
  return {
    ...result,
    stdout: joined(result.stdout, stdout),
    stderr: joined(result.stderr, stderr),
    read: { stdout: result.read.stdout + stdout.length, stderr: result.read.stderr + stderr.length },
  };
}

interface Entering {
  readonly world: Pick<World, 'workspace' | 'mcp' | 'missed'>;
  readonly needs: ProgramNeeds;
  /** A program that the target's program searches on PATH. */
  readonly companion?: string | undefined;
}

/** How the programs of a target start in its sandbox, with the workspace, the tools and the certificates. */
export function enterOf(
  { sandbox }: Pick<TargetServices, 'sandbox'>,
  { world, needs, companion }: Entering,
): Enter | undefined {
  if (sandbox === undefined || sandbox.level === 'process') return undefined;
  const { workspace, mcp, missed } = world;
  return async (start) => {
    if (workspace === undefined || workspace.isForeign === true) throw noWorkspace();
    const found = companion === undefined ? undefined : await findProgram(companion, start);
    const certificates = CERTIFICATES.flatMap((name) => start.env[name] ?? []);
    return await sandbox.enter(start, {
      ...needs,
      missed,
      programs: [...(needs.programs ?? []), ...(found === undefined ? [] : [found])],
      writable: [workspace.directory, ...needs.writable],
      readable: [...(needs.readable ?? []), ...namedFiles([...(mcp?.command ?? []), ...certificates])],
    });
  };
}

const CERTIFICATES = ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'];

function noWorkspace(): MeasurementError {
  return new MeasurementError('a sandbox needs a workspace of its own, not a directory of yours', {
    stage: 'workspace',
    kind: 'sandbox',
    hint: 'use an isolated workspace, or set `sandbox.level` to `process`',
  });
}
