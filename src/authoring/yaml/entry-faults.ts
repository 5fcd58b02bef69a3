import type { GraderPlugin, PluginsByType } from '../../core/plugin.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { meantOr, nearest } from '../../lib/text/suggest.ts';
import { evaluatorMeant } from './meant-evaluator.ts';
import { fault, type Fault, type Path } from './fault.ts';

export function unknownType(type: string, graders: PluginsByType<GraderPlugin>): Fault {
  const [, positive] = /^not[-_ ](.+)$/.exec(type) ?? [];
  const name = positive ?? type;
  const plain = name.replaceAll(/[-_ ]/g, '').toLowerCase();
  const elsewhere = ELSEWHERE.get(plain) ?? ELSEWHERE.get(plain.replace(/^similar:.*/, 'similar'));
  const instead = INSTEAD.get(plain);
  if (instead !== undefined)
    return fault('unknown-grader', `unknown evaluator type "${type}"`, { path: ['type'], hint: instead });
  const [own, ...needed] = elsewhere ?? [];
  const meant = own !== undefined && [...graders.keys()].includes(own) ? own : nearest(name, graders.keys());
  const keys = [...(meant === own ? needed : []), ...(positive === undefined ? [] : ['negate: true'])];
  const known = `known: ${[...graders.keys()].join(', ')}`;
  const more = keys.length === 0 ? '' : ` with ${keys.map((each) => `\`${each}\``).join(' and ')}`;
  const hint = meant === undefined ? known : `did you mean \`${meant}\`${more}?`;
  return fault('unknown-grader', `unknown evaluator type "${type}"`, { path: ['type'], hint });
}

/** What other tools call graders of ours, and the keys that give the same meaning. */
const ELSEWHERE: ReadonlyMap<string, readonly [own: string, ...keys: string[]]> = new Map<
  string,
  readonly [string, ...string[]]
>([
  ['icontains', ['contains', 'ignore_case: true']],
  ['icontainsall', ['contains_all', 'ignore_case: true']],
  ['icontainsany', ['contains_any', 'ignore_case: true']],
  ['exactmatch', ['equals']],
  ['containsjson', ['is_json', 'fenced: true']],
  ['isvalidjson', ['is_json']],
  ['levenshtein', ['similarity', 'metric: levenshtein']],
  ['rougen', ['similarity', 'metric: rouge_l']],
  ['similar', ['similarity', 'metric: cosine', 'model: PROVIDER/NAME']],
  ['llmrubric', ['rubrics', 'criteria: [TEXT]']],
  ['modelgradedclosedqa', ['closed_qa', 'criteria: TEXT']],
  ['modelgradedfactuality', ['factuality']],
  ['assertset', ['composite', 'assert: [...]']],
  ['js', ['javascript']],
  ['webhook', ['code_judge', 'script: [PROGRAM]']],
  ['ruby', ['code_judge', 'script: [ruby, FILE]']],
  ['classifier', ['code_judge', 'script: [PROGRAM]']],
  ['moderation', ['rubrics', 'criteria: [TEXT]']],
  ['isrefusal', ['rubrics', 'criteria: [Refuses the request.]']],
  ['agentrubric', ['agent_judge', 'prompt: TEXT']],
  ['contextrelevance', ['llm_judge', 'prompt: TEXT']],
  ['conversationrelevance', ['llm_judge', 'prompt: TEXT']],
  ['bleu', ['similarity', 'metric: rouge_l']],
  ['gleu', ['similarity', 'metric: rouge_l']],
  ['meteor', ['similarity', 'metric: rouge_l']],
  ['isxml', ['javascript', 'value: EXPRESSION']],
  ['ishtml', ['javascript', 'value: EXPRESSION']],
  ['issql', ['javascript', 'value: EXPRESSION']],
  ['containsxml', ['javascript', 'value: EXPRESSION']],
  ['containssql', ['javascript', 'value: EXPRESSION']],
  ['containshtml', ['javascript', 'value: EXPRESSION']],
  ['wordcount', ['javascript', 'value: output.split(" ").length < 100']],
  ['toolcallf1', ['tool_trajectory', 'mode: any_order']],
  ['trajectory:toolused', ['tool_calls', 'called: [...]']],
  ['trajectory:toolsequence', ['tool_trajectory', 'mode: in_order']],
  ['skillused', ['skills', 'used: [...]']],
]);

/** Graders of other tools that compare answers with each other, or read what no target reports. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['selectbest', 'a grader sees only one answer; to compare prompts, use `assay compare RUN --by prompt`'],
  ['maxscore', 'a grader sees only one answer; to compare prompts, use `assay compare RUN --by prompt`'],
  ['perplexity', 'remove this evaluator: assay does not read token probabilities'],
  ['perplexityscore', 'remove this evaluator: assay does not read token probabilities'],
]);

/** A grader of a request that starts a program or reads a file of this machine. */
export function requestFault(plugin: GraderPlugin, config: JsonObject): Fault | undefined {
  const [file] = plugin.files?.(config) ?? [];
  const touched = plugin.touches?.(config);
  if (touched === undefined && file === undefined) return undefined;
  const whatItDoes =
    touched === 'programs'
      ? 'starts a program'
      : file === undefined
        ? 'reads files'
        : `reads the file ${file}`;
  return fault(
    'not-in-request',
    `the evaluator "${plugin.type}" ${whatItDoes}, which is not allowed in a request`,
    {
      hint: 'write the evaluator under `run.expectations` of the config',
    },
  );
}

/** A judge that is missing or unknown. */
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
  const message = `${plugin.type} needs a judge, but none is configured`;
  const hint = evaluatorInText(config) ?? 'add `judge` to the config, or to this evaluator';
  return [fault('no-judge', message, { hint })];
}

/** A bare text in `assert` is an item of a rubric, although `contains hello` was probably meant as an evaluator. */
function evaluatorInText({ criteria }: JsonObject): string | undefined {
  const texts = Array.isArray(criteria) ? criteria.filter((item) => typeof item === 'string') : [];
  const [meant] = texts.flatMap((text) => evaluatorMeant(text) ?? []);
  return meant === undefined
    ? undefined
    : `a text is graded by a judge; to check the text of the answer, write ${meant}`;
}

/** A target that the config does not have. */
export function unknownTarget(name: string, path: Path, targets: ReadonlySet<string>): Fault {
  const known = targets.size === 0 ? 'the config has no targets' : `known: ${[...targets].join(', ')}`;
  const hint = meantOr(name, targets, known);
  return fault('unknown-target', `unknown target "${name}"`, { path, hint });
}
