/** Our place for a key that other tools use, where `known` are the keys that are allowed; undefined for other keys. */
export function foreignKey(key: string, known: readonly string[]): string | undefined {
  return FOREIGN.find((each) => each.keys.includes(key) && known.includes(each.beside))?.hint;
}

/** Our name for a column that other tools use. */
export function foreignColumn(column: string): string | undefined {
  const ours = FOREIGN.find(({ keys, isColumn }) => isColumn === true && keys.includes(column))?.beside;
  return ours === undefined ? undefined : `assay calls it \`${ours}\`: rename the column`;
}

interface Foreign {
  readonly keys: readonly string[];
  /** A key of ours by which the mapping is recognised. */
  readonly beside: string;
  readonly hint: string;
  /** Set if `beside` is the name of the same value. */
  readonly isColumn?: true;
}

const FOREIGN: readonly Foreign[] = [
  {
    keys: ['prompts', 'prompt'],
    beside: 'input',
    hint: 'write the question as `input`, and the prompt under test as `prompt` of its target; for several prompts, use `variants` in assay.config.yaml (see node_modules/assay/docs/guide/from-promptfoo.md)',
    isColumn: true,
  },
  {
    keys: ['question', 'messages'],
    beside: 'input',
    hint: 'assay calls it `input`: write the message as `input` of each test',
    isColumn: true,
  },
  {
    keys: ['expected', 'ideal', 'answer', 'ground_truth'],
    beside: 'expected_output',
    hint: 'assay calls it `expected_output`; add `assert: [{ type: equals }]` to compare the answer with it',
    isColumn: true,
  },
  {
    keys: ['providers', 'provider', 'models', 'model'],
    beside: 'execution',
    hint: 'assay calls it a target: define it under `targets` in assay.config.yaml, and name it here with `execution: { target: NAME }`',
  },
  {
    keys: ['prompts', 'prompt'],
    beside: 'runners',
    hint: 'write `prompt` in a target; for several prompts, use `variants: { base: NAME, over: { prompt: [...] } }`',
  },
  {
    keys: ['defaultTest', 'scenarios', 'assert'],
    beside: 'runners',
    hint: 'tests and their checks are in eval files, such as evals/NAME.eval.yaml',
  },
  {
    keys: ['providers', 'provider'],
    beside: 'runners',
    hint: 'assay calls it a target: write it under `targets`, such as  mine: { type: model, model: openai/gpt-4o }',
  },
  {
    keys: ['max', 'limit', 'max_ms'],
    beside: 'threshold',
    hint: 'assay calls it `threshold`',
  },
  {
    keys: ['defaultTest'],
    beside: 'tests',
    hint: 'write its `assert`, `vars` and `threshold` at the top of the file, for all tests',
  },
  {
    keys: ['tests'],
    beside: 'runners',
    hint: 'this is an eval, not a config: run it with `assay run FILE`, without --config',
  },
  {
    keys: ['apiKey', 'api_key'],
    beside: 'model',
    hint: 'put the key into an environment variable, such as OPENAI_API_KEY; `models.PROVIDER.apiKeyEnv` names another variable',
  },
];
