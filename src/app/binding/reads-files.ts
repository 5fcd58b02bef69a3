import type { GraderPlugin } from '../../core/plugin.ts';
import type { Expectation } from '../../core/test-case.ts';

/** Whether the grader of an expectation, or one of its members, may read files of the workspace. */
export function readsFiles(
  { type, config }: Pick<Expectation, 'type' | 'config'>,
  graders: ReadonlyMap<string, GraderPlugin>,
): boolean {
  const plugin = graders.get(type);
  if (plugin?.touches?.(config) !== undefined) return true;
  // The loader replaced the entries with validated expectations.
  const members = (plugin?.members?.(config) ?? []) as unknown as readonly Expectation[];
  return members.some((member) => readsFiles(member, graders));
}
