import type { JudgeChoice } from '../../core/judge.ts';
import type { GraderPlugin } from '../../core/plugin.ts';
import type { Expectation } from '../../core/test-case.ts';
import type { JsonObject } from '../../lib/json.ts';

/** A grader with its configuration. */
interface Configured {
  readonly plugin: GraderPlugin;
  readonly config: JsonObject;
}

/** The named judges of graders; null: the configured one. */
export function judgesOf(graders: readonly Configured[]): readonly (JudgeChoice | null)[] {
  return graders.flatMap(({ plugin, config }) =>
    plugin.asksJudge?.(config) === true ? [plugin.judge?.(config) ?? null] : [],
  );
}

/** A grader and its members, each with its configuration. */
export function withMembers(
  { type, config }: Pick<Expectation, 'type' | 'config'>,
  graders: ReadonlyMap<string, GraderPlugin>,
): readonly Configured[] {
  const plugin = graders.get(type);
  if (plugin === undefined) return [];
  const members = (plugin.members?.(config) ?? []) as unknown as readonly Expectation[];
  return [{ plugin, config }, ...members.flatMap((member) => withMembers(member, graders))];
}
