import { AssayError } from '../../core/errors.ts';
import type { RunStore } from '../../core/run-store.ts';
import type { UsedTarget } from '../running/target-pool.ts';

/** A name of a run that means the same when there are newer runs. */
export async function lastingReference(reference: string, runs: RunStore): Promise<string> {
  const { run, target } = await runs.find(reference);
  return target === undefined ? run.reference : `${run.reference}#${target}`;
}

/** The stored runs that targets answer from, by what is written. */
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
  throw new AssayError('replay-unclear', `the run "${reference}" that is to be replayed ${what}`, {
    stage: 'plan',
    hint: `name one of them: ${names.map((name) => `${run.name}#${name}`).join(', ')}`,
  });
}
