import type { JudgeChoice } from '../../core/judge.ts';
import type { GraderPlugin } from '../../core/plugin.ts';
import type { Expectation } from '../../core/test-case.ts';
import type { JsonObject } from '../../lib/json.ts';

/** A grader with its configuration. */
export interface ConfiguredGrader {
  readonly plugin: GraderPlugin;
  readonly config: JsonObject;
  /** Its paths are relative to it. */
  readonly directory: string;
}

/** The grader of an expectation and all its members, in the written order. `folder`: that of the case. */
export function withMembers(
  { type, config, directory: own }: Pick<Expectation, 'type' | 'config' | 'directory'>,
  graders: ReadonlyMap<string, GraderPlugin>,
  folder = '',
): readonly ConfiguredGrader[] {
  const plugin = graders.get(type);
  if (plugin === undefined) return [];
  const directory = own ?? folder;
  if (plugin.members === undefined) return [{ plugin, config, directory }];
  // The loader replaced the entries with validated expectations.
  const members = (plugin.members(config) ?? []) as unknown as readonly Expectation[];
  return [
    { plugin, config, directory },
    ...members.flatMap((member) => withMembers(member, graders, directory)),
  ];
}

/** Whether an expectation or one of its members asks a language model. */
export function asksAnyJudge(
  expectation: Pick<Expectation, 'type' | 'config'>,
  graders: ReadonlyMap<string, GraderPlugin>,
): boolean {
  return withMembers(expectation, graders).some(({ plugin, config }) => plugin.asksJudge?.(config) === true);
}

/** The named judges of graders; null: the configured one. */
export function judgesOf(graders: readonly ConfiguredGrader[]): readonly (JudgeChoice | null)[] {
  const judges: (JudgeChoice | null)[] = [];
  for (const { plugin, config } of graders)
    if (plugin.asksJudge?.(config) === true) judges.push(plugin.judge?.(config) ?? null);
  return judges;
}
