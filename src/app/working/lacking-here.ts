import { AssayError } from '../../core/errors.ts';
import { given } from '../../lib/given.ts';
import type { BoundRun } from '../binding/bind.ts';
import { missingPrograms } from '../binding/missing-programs.ts';
import { requireSandboxes } from '../binding/require-sandboxes.ts';

/** What this machine lacks to run the agents of a run: programs and sandboxes. */
export async function lackingHere(bound: BoundRun, signal: AbortSignal): Promise<readonly string[]> {
  const { use, judges, machine } = bound;
  const { directory, environment: operatorEnvironment } = machine.loaded;
  const targets = new Map([...judges.use.targets, ...use.targets]);
  const agents = await Promise.all(
    [...targets].map(async ([name, { plugin, settings, environment }]) => {
      const { config, env } = settings;
      const target = { name, environment, config, ...given({ env }) };
      const why = await plugin.lacks?.({ directory, operatorEnvironment, target });
      return why === undefined ? [] : [`target ${name}: ${why}`];
    }),
  );
  const programs = missingPrograms(
    new Map([...targets].filter(([, { plugin }]) => plugin.lacks === undefined)),
    machine.loaded,
  );
  return [
    ...agents.flat(),
    ...programs.map(({ message }) => message),
    ...(await sandboxFaults(bound, signal)),
  ];
}

async function sandboxFaults(bound: BoundRun, signal: AbortSignal): Promise<readonly string[]> {
  try {
    await requireSandboxes(bound, signal);
    return [];
  } catch (error) {
    if (error instanceof AssayError) return [error.message];
    throw error;
  }
}
