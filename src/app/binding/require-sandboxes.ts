import { AssayError } from '../../core/errors.ts';
import { isWeaker, type IsolationLevel } from '../../core/isolation-level.ts';
import { namespaceFault } from '../../sandboxes/check-namespace.ts';
import type { BoundRun } from './bind.ts';
import { levelOf } from './sandbox-of-target.ts';

/** Throws if this machine cannot run a sandbox of the run, or if a target has a weaker one than required. */
export async function requireSandboxes({ use, spec, machine }: BoundRun): Promise<void> {
  const { requireIsolation } = spec.options;
  const sandboxed = [...use.targets].flatMap(([name, { sandbox }]) =>
    sandbox === undefined ? [] : [{ name, level: levelOf(sandbox) }],
  );
  const weak = sandboxed.find(
    ({ level }) => requireIsolation !== undefined && isWeaker(level, requireIsolation),
  );
  if (weak !== undefined && requireIsolation !== undefined) throw tooWeak(weak, requireIsolation);
  const first = sandboxed.find(({ level }) => level === 'namespace');
  if (first === undefined) return;
  const { directory, environment } = machine.loaded;
  const fault = await namespaceFault(
    { directory, operatorEnvironment: environment },
    new AbortController().signal,
  );
  if (fault === undefined) return;
  throw new AssayError(
    'sandbox-unavailable',
    `target ${first.name} asks for the sandbox level namespace, which this machine cannot run: ${fault.why}`,
    { stage: 'plan', hint: fault.hint },
  );
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
