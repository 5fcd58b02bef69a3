import type { WrittenEntry } from './written-targets.ts';

/** The targets that names mean: the name of a target with variants means all its variants. */
export function meantTargets(
  names: readonly string[],
  written: ReadonlyMap<string, WrittenEntry>,
): readonly string[] {
  if (!names.some((name) => written.get(name)?.variants !== undefined)) return names;
  return [...new Set(names.flatMap((name) => written.get(name)?.variants ?? [name]))];
}
