import { AssayError } from '../../core/errors.ts';
import type { RunStore } from '../../core/run-store.ts';
import type { UsedTarget } from '../binding/target-pool.ts';

/** Resolves a reference such as `latest` to one that newer runs do not change. */
export async function lastingReference(reference: string, runs: RunStore): Promise<string> {
  const { run, target } = await runs.find(reference);
  return target === undefined ? run.reference : `${run.reference}#${target}`;
}

/** The stored runs that `replay` targets answer from, by reference. */
export async function replaysOf(
  targets: ReadonlyMap<string, UsedTarget>,
  runs: RunStore,
): Promise<Readonly<Record<string, string>>> {
  const written = [...targets.values()].flatMap(
    ({ plugin, settings }) => plugin.runs?.(settings.config) ?? [],
  );
  const replays: Record<string, string> = {};
  for (const reference of written) {
    await refuseSeveralTargets(reference, runs);
    replays[reference] = await lastingReference(reference, runs);
  }
  return replays;
}

async function refuseSeveralTargets(reference: string, runs: RunStore): Promise<void> {
  const { run, target } = await runs.find(reference);
  const names = (await run.head()).targets.map(({ name }) => name);
  if (target === undefined ? names.length < 2 : names.includes(target)) return;
  const what =
    target === undefined ? `has ${names.length} targets: ${names.join(', ')}` : `has no target "${target}"`;
  throw new AssayError('replay-unclear', `the run "${reference}" cannot be replayed: it ${what}`, {
    stage: 'plan',
    hint: `name one of them: ${names.map((name) => `${run.name}#${name}`).join(', ')}`,
  });
}
