import { AssayError } from '../../core/errors.ts';
import { isWeaker, type IsolationLevel } from '../../core/isolation-level.ts';
import type { SandboxSettings } from '../../core/sandbox.ts';
import { sandboxFault } from '../../sandboxes/sandbox-fault.ts';
import type { Unavailable } from '../../sandboxes/unavailable.ts';
import type { BoundRun } from './bind.ts';
import { isServer, levelOf } from './sandbox-of-target.ts';

/**
 * Throws if this machine cannot run a sandbox of the run, or if a target has a weaker one than required. Throws the
 * reason of the signal when it aborts.
 */
export async function requireSandboxes({ use, spec, machine }: BoundRun, signal: AbortSignal): Promise<void> {
  const { requireIsolation } = spec.options;
  const sandboxed = [...use.targets].flatMap(([name, { sandbox, plugin, settings }]) =>
    sandbox === undefined
      ? []
      : [{ name, level: levelOf(sandbox), sandbox, isServer: isServer({ plugin, settings }) }],
  );
  const weak = sandboxed.find(
    ({ level }) => requireIsolation !== undefined && isWeaker(level, requireIsolation),
  );
  if (weak !== undefined && requireIsolation !== undefined) throw tooWeak(weak, requireIsolation);
  const { directory, environment } = machine.loaded;
  const place = { directory, operatorEnvironment: environment };
  for (const { name, level, sandbox: settings, isServer: serves } of distinct(sandboxed)) {
    const fault = await sandboxFault({ settings, place, isServer: serves }, signal);
    if (fault === undefined) continue;
    throw sandboxUnavailable({ name, level }, fault);
  }
}

interface Levelled {
  readonly name: string;
  readonly level: IsolationLevel;
}

/** The error of a target whose sandbox this machine cannot run. */
export function sandboxUnavailable({ name, level }: Levelled, { why, hint }: Unavailable): AssayError {
  return new AssayError(
    'sandbox-unavailable',
    `target ${name} asks for the sandbox level ${level}, which this machine cannot run: ${why}`,
    { stage: 'plan', hint },
  );
}

/** The first target of each kind of sandbox. */
function distinct<Each extends { readonly sandbox: SandboxSettings; readonly isServer: boolean }>(
  all: readonly Each[],
): Iterable<Each> {
  const kinds = new Map<string, Each>();
  for (const each of all) {
    const { sandbox, isServer: serves } = each;
    const { level } = sandbox;
    const kind = JSON.stringify(level === 'container' ? [sandbox, serves] : level);
    if (!kinds.has(kind)) kinds.set(kind, each);
  }
  return kinds.values();
}

function tooWeak({ name, level }: Levelled, required: IsolationLevel): AssayError {
  return new AssayError(
    'isolation-required',
    `target ${name} runs at the sandbox level ${level}, but --require-isolation asks for ${required}`,
    { stage: 'plan', hint: `use --sandbox ${required}, or set \`sandbox.level\` of the target` },
  );
}
