import { decodeUtf8 } from '../../lib/process/decode-utf8.ts';
import { ATTEMPT_MARKER, ownMarker } from '../../lib/process/own-token.ts';
import { jsonIn } from '../../lib/text/json-in.ts';
import { runEntered } from '../sandboxed.ts';
import type { AgentAdapter } from './adapter.ts';
import type { TurnProcess } from './run-turn.ts';

const EXPORT_FILE = 'export.json';
const EXPORT_TIMEOUT_MS = 20_000;
const MAX_EXPORT_BYTES = 64 * 2 ** 20;

/** Saves the session as the program itself exports it, if it can. Does not count for the time of a turn. */
export async function keepExport(
  { exportArgs }: Pick<AgentAdapter, 'exportArgs'>,
  process: TurnProcess,
  signal: AbortSignal,
): Promise<void> {
  const { world, reader } = process;
  const { sessionId } = reader.state();
  if (exportArgs === undefined || sessionId === undefined) return;
  const exported = await exportedSession(process, exportArgs(sessionId), signal);
  if (exported === undefined) return;
  await world.artifacts.write(EXPORT_FILE, exported);
  world.leftFile?.(EXPORT_FILE);
}

/** Undefined when it failed. */
async function exportedSession(
  { program, env, directory, world, enter }: TurnProcess,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const goOn = world.hold?.();
  try {
    const { stdout } = await runEntered(
      {
        command: [...program.command, ...args],
        cwd: directory,
        env,
        timeoutMs: EXPORT_TIMEOUT_MS,
        maxOutputBytes: MAX_EXPORT_BYTES,
        marker: { name: ATTEMPT_MARKER, value: ownMarker() },
      },
      enter,
      signal,
    );
    return objectAmong(decodeUtf8(stdout));
  } finally {
    goOn?.();
  }
}

/** Programs print text before and after it; cut off output is ignored. */
export function objectAmong(text: string): string | undefined {
  const end = text.lastIndexOf('}') + 1;
  const start = text.search(/\{\s*(?:"|\})/);
  if (start < 0 || start >= end) return undefined;
  const candidate = text.slice(start, end);
  return jsonIn(candidate) === undefined ? undefined : candidate;
}
