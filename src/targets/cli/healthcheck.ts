import { messageOf } from '../../core/errors.ts';
import type { TargetServices } from '../../core/plugin.ts';
import { decodeUtf8 } from '../../lib/process/decode-utf8.ts';
import { runProcess } from '../../lib/process/run-process.ts';
import { unavailable } from '../target-errors.ts';
import { textEnd } from '../text-end.ts';
import { rootedCommand, type Command } from '../program-path.ts';
import { filledCommand } from './command-template.ts';
import type { Healthcheck } from './config.ts';

/** Where a check runs. */
export interface CheckPlace {
  /** Absolute. */
  readonly directory: string;
  readonly services: TargetServices;
}

/** Rejects with the reason when the check fails. */
export async function checkHealth(check: Healthcheck, place: CheckPlace, signal: AbortSignal): Promise<void> {
  const problem =
    check.command === undefined
      ? await problemOfUrl(check.url ?? '', check.timeoutMs, signal)
      : await problemOfCommand(check.command, { ...place, timeoutMs: check.timeoutMs }, signal);
  signal.throwIfAborted();
  if (problem === undefined) return;
  const { name } = place.services;
  throw unavailable(`the healthcheck of target ${name} failed: ${problem}`, {
    detail: 'healthcheck',
    hint: `start the services that it needs, or correct targets.${name}.healthcheck`,
  });
}

async function problemOfUrl(
  url: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.any([signal, timeout]) });
    await answer.body?.cancel();
    return answer.ok ? undefined : `${url} answered with status ${answer.status}`;
  } catch (error) {
    if (timeout.aborted) return `${url} timed out after ${timeoutMs} ms`;
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return `${url}: ${messageOf(cause)}`;
  }
}

async function problemOfCommand(
  command: Command,
  { directory, services, timeoutMs }: CheckPlace & { readonly timeoutMs: number },
  signal: AbortSignal,
): Promise<string | undefined> {
  const result = await runProcess(
    {
      command: filledCommand(rootedCommand(command, services.directory), {}),
      cwd: directory,
      env: services.environment,
      keepBytes: 64 * 1024,
      timeoutMs,
    },
    signal,
  );
  if (result.outcome === 'exited' && result.exitCode === 0) return undefined;
  if (result.outcome === 'spawn-failed') return result.failure.message;
  if (result.outcome === 'timeout') return `the command timed out after ${timeoutMs} ms`;
  const said = textEnd(decodeUtf8(result.stderr));
  return `the command ended with ${result.signal ?? `exit code ${result.exitCode}`}${said === '' ? '' : `: ${said}`}`;
}
