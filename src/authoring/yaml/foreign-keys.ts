/** Our place for a key that other tools use, where `known` are the keys that are allowed; undefined for other keys. */
export function foreignKey(key: string, known: readonly string[]): string | undefined {
  return FOREIGN.find(
    (each) => each.keys.includes(key) && known.includes(each.ours) && !known.includes(each.unless ?? ''),
  )?.hint;
}

/** Our name for a column that other tools use. */
export function foreignColumn(column: string): string | undefined {
  const ours = FOREIGN.find(({ keys, isColumn }) => isColumn === true && keys.includes(column))?.ours;
  return ours === undefined ? undefined : `assay calls it \`${ours}\`: rename the column`;
}

interface Foreign {
  readonly keys: readonly string[];
  /** A key of ours by which the mapping is recognised. */
  readonly ours: string;
  /** A key of ours that is a better suggestion, if it is allowed. */
  readonly unless?: string;
  readonly hint: string;
  /** Set if `ours` is the name of the same value. */
  readonly isColumn?: true;
}

const FOREIGN: readonly Foreign[] = [
  {
    keys: ['prompts', 'prompt'],
    ours: 'input',
    hint: 'write the question as `input`, and the prompt under test as `prompt` of its target; for several prompts, use `variants` in assay.config.yaml (see node_modules/assay/docs/guide/from-promptfoo.md)',
    isColumn: true,
  },
  {
    keys: ['question', 'messages'],
    ours: 'input',
    hint: 'assay calls it `input`: write the message as `input` of each test',
    isColumn: true,
  },
  {
    keys: ['expected', 'ideal', 'answer', 'ground_truth'],
    ours: 'expected_output',
    hint: 'assay calls it `expected_output`; add `assert: [{ type: equals }]` to compare the answer with it',
    isColumn: true,
  },
  {
    keys: ['providers', 'provider', 'models', 'model'],
    ours: 'execution',
    hint: 'assay calls it a target: define it under `targets` in assay.config.yaml, and name it here with `execution: { target: NAME }`',
  },
  {
    keys: ['prompts', 'prompt'],
    ours: 'runners',
    hint: 'write `prompt` in a target; for several prompts, use `variants: { base: NAME, over: { prompt: [...] } }`',
  },
  {
    keys: ['defaultTest', 'scenarios', 'assert'],
    ours: 'runners',
    hint: 'tests and their checks are in eval files, such as evals/NAME.eval.yaml',
  },
  {
    keys: ['providers', 'provider'],
    ours: 'runners',
    hint: 'assay calls it a target: write it under `targets`, such as  mine: { type: model, model: openai/gpt-4o }',
  },
  {
    keys: ['evaluateOptions', 'commandLineOptions'],
    ours: 'runners',
    hint: 'use `run.concurrency` instead of `maxConcurrency`, and `run.repeat` instead of `repeat`',
  },
  {
    keys: ['outputPath'],
    ours: 'runners',
    hint: 'name reports in `run.reporter`, such as html or json=results.json',
  },
  {
    keys: ['derivedMetrics'],
    ours: 'runners',
    hint: 'write `derived_metrics` in the eval: a mapping from names to formulas',
  },
  {
    keys: ['env'],
    ours: 'runners',
    hint: 'put variables into `.env` next to the config, and name them in `passEnv` of a target',
  },
  {
    keys: ['provider', 'grader'],
    ours: 'judge',
    unless: 'runners',
    hint: 'write the grading model under `judge`, such as `judge: { model: openai/gpt-4o }`',
  },
  {
    keys: ['rubricPrompt'],
    ours: 'judge',
    unless: 'runners',
    hint: 'use `llm_judge` with `prompt`',
  },
  {
    keys: ['transform', 'options'],
    ours: 'expected_output',
    hint: 'assay has no transforms: select a part of the answer in a `javascript` check; write the grading model under `judge` of an evaluator',
  },
  {
    keys: ['max', 'limit', 'max_ms'],
    ours: 'threshold',
    hint: 'assay calls it `threshold`',
  },
  {
    keys: ['defaultTest'],
    ours: 'tests',
    hint: 'write its `assert`, `vars` and `threshold` at the top of the file, for all tests',
  },
  {
    keys: ['tests'],
    ours: 'runners',
    hint: 'this is an eval, not a config: run it with `assay run FILE`, without --config',
  },
  {
    keys: ['apiKey', 'api_key'],
    ours: 'model',
    unless: 'apiKeyEnv',
    hint: 'put the key into an environment variable, such as OPENAI_API_KEY; `models.PROVIDER.apiKeyEnv` names another variable',
  },
];
