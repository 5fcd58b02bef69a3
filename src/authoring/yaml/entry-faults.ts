import type { GraderPlugin, Parts } from '../../core/plugin.ts';
import { isObject } from '../../lib/json.ts';
import type { JsonObject } from '../../lib/json.ts';
import { nearest } from '../../lib/text/suggest.ts';
import { fault } from './fault.ts';
import type { Fault, Path } from './fault.ts';

/** A type that no grader has. */
export function unknownType(type: string, graders: Parts<GraderPlugin>): Fault {
  const [, positive] = /^not[-_ ](.+)$/.exec(type) ?? [];
  const meant = nearest(positive ?? type, graders.keys());
  const known = `known: ${[...graders.keys()].join(', ')}`;
  const negated = positive === undefined ? '' : ' with `negate: true`';
  const hint = meant === undefined ? known : `did you mean \`${meant}\`${negated}?`;
  return fault('unknown-grader', `there is no evaluator of type "${type}"`, { path: ['type'], hint });
}

/** A grader of a request that starts a program or reads a file of this machine. */
export function requestFault(plugin: GraderPlugin, config: JsonObject): Fault | undefined {
  const [file] = plugin.files?.(config) ?? [];
  const touched = plugin.touches?.(config);
  if (touched === undefined && file === undefined) return undefined;
  const what =
    touched === 'programs'
      ? 'starts a program'
      : file === undefined
        ? 'reads files'
        : `reads the file ${file}`;
  return fault('not-in-request', `the evaluator "${plugin.type}" ${what}, which a request cannot ask for`, {
    hint: 'write the evaluator under `run.expectations` of the config',
  });
}

/** A judge that is needed and missing, or named and unknown. */
export function judgeFaults(
  plugin: GraderPlugin,
  config: JsonObject,
  scope: { readonly targets: ReadonlySet<string> | undefined; readonly hasJudge: boolean },
): readonly Fault[] {
  const judge = config['judge'] ?? Object.values(config).find((value) => isObject(value) && 'judge' in value);
  if (typeof judge === 'string' && scope.targets !== undefined && !scope.targets.has(judge)) {
    return [unknownTarget(judge, ['judge'], scope.targets)];
  }
  if (scope.hasJudge || judge !== undefined || plugin.asksJudge?.(config) !== true) return [];
  const message = `${plugin.type} asks a language model, and no judge is configured`;
  return [fault('no-judge', message, { hint: 'add `judge` to the config, or to this evaluator' })];
}

/** A target that the config does not know. */
export function unknownTarget(name: string, path: Path, targets: ReadonlySet<string>): Fault {
  const meant = nearest(name, targets);
  const known = targets.size === 0 ? 'the config has no targets' : `known: ${[...targets].join(', ')}`;
  const hint = meant === undefined ? known : `did you mean \`${meant}\`?`;
  return fault('unknown-target', `there is no target "${name}"`, { path, hint });
}
