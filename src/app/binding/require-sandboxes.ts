import { AssayError } from '../../core/errors.ts';
import { isWeaker, type IsolationLevel } from '../../core/isolation-level.ts';
import type { SandboxSettings } from '../../core/sandbox.ts';
import { sandboxFault } from '../../sandboxes/sandbox-fault.ts';
import type { BoundRun } from './bind.ts';
import { levelOf } from './sandbox-of-target.ts';

/** Throws if this machine cannot run a sandbox of the run, or if a target has a weaker one than required. */
export async function requireSandboxes({ use, spec, machine }: BoundRun): Promise<void> {
  const { requireIsolation } = spec.options;
  const sandboxed = [...use.targets].flatMap(([name, { sandbox }]) =>
    sandbox === undefined ? [] : [{ name, level: levelOf(sandbox), sandbox }],
  );
  const weak = sandboxed.find(
    ({ level }) => requireIsolation !== undefined && isWeaker(level, requireIsolation),
  );
  if (weak !== undefined && requireIsolation !== undefined) throw tooWeak(weak, requireIsolation);
  const { directory, environment } = machine.loaded;
  for (const { name, level, sandbox } of distinct(sandboxed)) {
    const fault = await sandboxFault(
      sandbox,
      { directory, operatorEnvironment: environment },
      new AbortController().signal,
    );
    if (fault === undefined) continue;
    throw new AssayError(
      'sandbox-unavailable',
      `target ${name} asks for the sandbox level ${level}, which this machine cannot run: ${fault.why}`,
      { stage: 'plan', hint: fault.hint },
    );
  }
}

/** The first target of each kind of sandbox. */
function distinct<Each extends { readonly sandbox: SandboxSettings }>(all: readonly Each[]): Iterable<Each> {
  const kinds = new Map<string, Each>();
  for (const each of all) {
    const { level } = each.sandbox;
    const kind = JSON.stringify(level === 'container' ? each.sandbox : level);
    if (!kinds.has(kind)) kinds.set(kind, each);
  }
  return kinds.values();
}

function tooWeak(
  { name, level }: { readonly name: string; readonly level: IsolationLevel },
  required: IsolationLevel,
): AssayError {
  return new AssayError(
    'isolation-required',
    `target ${name} runs at the sandbox level ${level}, but --require-isolation asks for ${required}`,
    { stage: 'plan', hint: `use --sandbox ${required}, or set \`sandbox.level\` of the target` },
  );
}
