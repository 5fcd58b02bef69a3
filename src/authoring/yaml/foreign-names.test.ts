import { describe, expect, test } from 'vitest';

import { graders } from '../../graders/index.ts';
import { unknownType } from './entry-faults.ts';
import { foreignKey } from './foreign-keys.ts';
import { load } from './project.fixture.ts';

const known = new Map(graders.map((each) => [each.type, each]));

describe('a check of promptfoo', () => {
  test.each([
    ['icontains', '`contains` with `ignore_case: true`'],
    ['not-icontains', '`contains` with `ignore_case: true` and `negate: true`'],
    ['contains-json', '`is_json` with `fenced: true`'],
    ['similar', '`similarity` with `metric: cosine` and `model: PROVIDER/NAME`'],
    ['similar:dot', '`similarity` with `metric: cosine` and `model: PROVIDER/NAME`'],
    ['llm-rubric', '`rubrics` with `criteria: [TEXT]`'],
    ['model-graded-closedqa', '`closed_qa` with `criteria: TEXT`'],
    ['context-relevance', '`llm_judge` with `prompt: TEXT`'],
    ['trajectory:tool-used', '`tool_calls` with `called: [...]`'],
    ['is-xml', '`javascript` with `value: EXPRESSION`'],
    ['bleu', '`similarity` with `metric: rouge_l`'],
    ['webhook', '`code_judge` with `script: [PROGRAM]`'],
  ])('%s has its name in assay in the message', (type, meant) => {
    expect(unknownType(type, known).hint).toBe(`did you mean ${meant}?`);
  });

  test('that compares answers is explained', () => {
    for (const type of ['select-best', 'select_best', 'max-score'])
      expect(unknownType(type, known).hint).toBe(
        'a grader sees only one answer; to compare prompts, use `assay compare RUN --by prompt`',
      );
  });

  test.each([
    'select-best: shortest',
    'is-xml',
    'perplexity(10)',
    'similar:dot(0.8): hello',
    'context-recall(0.7): x',
  ])('in a CSV cell, %s is not taken for an answer', async (cell) => {
    const { problems } = await load({
      'a.yaml': 'input: x\ntests: a.csv\n',
      'a.csv': `id,__expected\na,${cell}\n`,
    });
    expect(problems).toEqual([expect.stringMatching(/^a.csv:2:3 {2}invalid-value .*no such check/)]);
  });
});

test.each([
  ['prompts', ['runners', 'targets'], 'variants'],
  ['defaultTest', ['runners'], 'eval files'],
  ['defaultTest', ['tests'], '`vars`'],
  ['derivedMetrics', ['runners'], 'derived_metrics'],
  ['evaluateOptions', ['runners'], 'run.concurrency'],
  ['outputPath', ['runners'], 'run.reporter'],
  ['provider', ['judge', 'samples'], '`judge`'],
  ['transform', ['expected_output'], '`javascript`'],
])('the key %s of promptfoo beside %j has its place in the message', (key, keys, place) => {
  expect(foreignKey(key, keys)).toContain(place);
});
