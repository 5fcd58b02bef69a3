import { describe, expect, test } from 'vitest';

import { judgedBy, servicesOver } from '../../test/support/judging.ts';
import { modelServer } from '../../test/support/model-server.ts';
import type { JsonObject } from '../lib/json.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import * as namedJudges from './named-judges.ts';
import { problemsOf, type SubjectSketch } from './subject.fixture.ts';

const byType = new Map(Object.values(namedJudges).map((each) => [each.type, each]));

function plugin(type: string): GraderPlugin {
  const found = byType.get(type);
  if (found === undefined) throw new Error(`no grader ${type}`);
  return found;
}

const subject: SubjectSketch = {
  answer: 'Lisbon has 545,000 inhabitants.',
  reference: 'About 545,000 people live in Lisbon.',
  entries: [
    { type: 'tool-call', callId: '1', name: 'search', input: 'Lisbon' },
    { type: 'tool-result', callId: '1', output: 'Lisbon: population 545,796 (2021)' },
  ],
};

/** What a grader finds when the judge answers this, and the prompt that the judge got. */
async function judged(
  type: string,
  config: object,
  { json, sketch = subject }: { json: JsonObject; sketch?: SubjectSketch },
) {
  const server = await modelServer({}, { records: true, replyTo: () => ({ json }) });
  const [finding] = await judgedBy(plugin(type), config, {
    services: servicesOver(server.url),
    subject: sketch,
  });
  return { finding, asked: JSON.stringify(server.requests), count: server.requests.length };
}

const yes = { score: 1, reasoning: 'it agrees' };

describe.each([
  ['factuality', {}, ['[reference, in the material]', 'About 545,000 people']],
  ['factuality', { value: 'Lisbon has 545,000 inhabitants.' }, ['The expert answer: Lisbon has 545,000']],
  ['answer_relevance', {}, ['addresses the question', 'the question']],
  ['closed_qa', { criteria: 'names a number' }, ['The criterion:\\\\n', 'names a number']],
  ['g_eval', { criteria: ['is exact', 'names a year'] }, ['- is exact', '- names a year']],
])('%s %j', (type, config, words) => {
  test('has the score of the judge, who gets what it compares', async () => {
    const { finding, asked } = await judged(type, config, { json: yes });
    expect({ score: finding?.score, reason: finding?.reason }).toEqual({ score: 1, reason: 'it agrees' });
    expect(words.filter((each) => !asked.includes(each.replaceAll('\\\\n', '')))).toEqual([]);
  });

  test('an empty answer scores 0 without asking', async () => {
    const { finding, count } = await judged(type, config, { json: yes, sketch: { ...subject, answer: ' ' } });
    expect({ finding, count }).toEqual({ finding: { score: 0, reason: 'the answer is empty' }, count: 0 });
  });
});

describe.each(['context_faithfulness', 'context_recall'])('%s', (type) => {
  const statements = [
    { text: 'Lisbon has 545,000 inhabitants', supported: true },
    { text: 'Lisbon is in Spain', supported: false },
  ];

  test('is the share of supported statements, whatever number the judge would give', async () => {
    const json = { statements, reasoning: 'one is wrong', score: 1 };
    const { finding, asked } = await judged(type, {}, { json });
    expect(finding).toMatchObject({
      score: 0.5,
      reason: '1 of 2 statements are supported: one is wrong',
      evidence: statements.map(({ text, supported }) => ({ text, passed: supported })),
    });
    expect(asked).toContain('population 545,796');
  });

  test('takes a written context in place of what tools returned', async () => {
    const context = 'Lisbon is the capital.';
    const { asked } = await judged(type, { context }, { json: { statements: [], reasoning: 'none' } });
    expect([asked.includes(context), asked.includes('545,796')]).toEqual([true, false]);
  });

  test('without any context the grade is errored', async () => {
    const sketch = { answer: 'a', reference: 'b' };
    await expect(judged(type, {}, { json: { statements, reasoning: 'x' }, sketch })).rejects.toThrow(
      'there is no context in the test "case"',
    );
  });
});

test('the expected output is needed only where it is read', () => {
  const reads = [...byType].map(([type, each]) => [type, each.readsReference?.({ criteria: 'x' })]);
  expect(Object.fromEntries(reads)).toEqual({
    answer_relevance: false,
    closed_qa: false,
    context_faithfulness: false,
    context_recall: true,
    factuality: true,
    g_eval: false,
  });
  expect(plugin('factuality').readsReference?.({ value: 'x' })).toBe(false);
});

test('empty criteria are refused', () => {
  expect(problemsOf(plugin('closed_qa'), {})).toHaveLength(1);
  expect(problemsOf(plugin('g_eval'), { criteria: ' ' })).toEqual(['criteria: is empty']);
});
