import { basename, dirname, resolve } from 'node:path';

import { AssayError } from '../../core/errors.ts';
import { findRun } from '../../storage/run-directory/find.ts';
import { readManifest } from '../../storage/run-directory/manifest.ts';
import type { UsedTarget } from '../run/target-pool.ts';

export interface RunsPlace {
  readonly outputDirectory: string;
  readonly cwd: string;
}

/** A name of a run that means the same when there are newer runs. */
export function lastingReference(reference: string, { outputDirectory, cwd }: RunsPlace): string {
  const { paths, target } = findRun(reference, outputDirectory, cwd);
  const isKept = dirname(resolve(paths.directory)) === resolve(outputDirectory);
  const run = isKept ? basename(paths.directory) : paths.directory;
  return target === undefined ? run : `${run}#${target}`;
}

/** The stored runs that targets answer from, by what is written. */
export function replaysOf(
  targets: ReadonlyMap<string, UsedTarget>,
  place: RunsPlace,
): Readonly<Record<string, string>> {
  const written = [...targets.values()].flatMap(
    ({ plugin, settings }) => plugin.runs?.(settings.config) ?? [],
  );
  return Object.fromEntries(
    written.map((reference) => {
      refuseSeveralTargets(reference, place);
      return [reference, lastingReference(reference, place)];
    }),
  );
}

function refuseSeveralTargets(reference: string, { outputDirectory, cwd }: RunsPlace): void {
  const { paths, target } = findRun(reference, outputDirectory, cwd);
  const names = readManifest(paths).targets.map(({ name }) => name);
  if (target === undefined ? names.length < 2 : names.includes(target)) return;
  const what =
    target === undefined ? `has ${names.length} targets: ${names.join(', ')}` : `has no target "${target}"`;
  throw new AssayError('replay-unclear', `the run "${reference}" that is to be replayed ${what}`, {
    stage: 'plan',
    hint: `name one of them: ${names.map((name) => `${basename(paths.directory)}#${name}`).join(', ')}`,
  });
}
