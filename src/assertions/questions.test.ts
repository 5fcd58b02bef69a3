import { expect, test } from 'vitest';

import { assert } from './assert.ts';
import { failure } from './failure.ts';
import { generatedQuestion, questionsOf } from './questions.ts';
import { runHook } from './run-hook.ts';
import { reportWith } from './report.fixture.ts';

const ask = (hook: Parameters<typeof runHook>[0]['testCase']['assert']) =>
  runHook({
    testCase: { assert: hook },
    report: reportWith([]),
    timeoutMs: 1000,
    signal: new AbortController().signal,
  });

const questions = (asked: Awaited<ReturnType<typeof ask>>) => asked.questions.map(({ question }) => question);

test('every failed assertion on the report leaves its question, the author’s or one made of what was expected', async () => {
  const outcome = await ask((report) => {
    assert.soft.commands.includes(report, 'a', { explain: { question: 'Why no a?' } });
    assert.soft.commands.includes(report, 'b', {
      explain: { question: (ctx) => `Why only ${ctx.getCommands().length} commands?` },
    });
    assert.soft.equal(1, 2);
    assert.output.includes(report, 'c');
  });
  expect(questions(outcome)).toEqual([
    'Why no a?',
    'Why only 0 commands?',
    generatedQuestion('Expected final output matching "c".'),
  ]);
  expect(outcome.questions[0]?.source).toEqual({
    file: import.meta.filename,
    line: expect.any(Number) as number,
    column: expect.any(Number) as number,
  });
});

test('an author may have nothing to ask, and a question that throws is replaced', async () => {
  const outcome = await ask((report) => {
    assert.soft.commands.includes(report, 'a', { explain: { question: () => undefined } });
    assert.soft.commands.includes(report, 'b', {
      explain: {
        question: () => {
          throw new Error('oh');
        },
      },
    });
  });
  expect(questions(outcome)).toEqual([
    generatedQuestion('Expected a command matching "b". Observed commands: (none)'),
  ]);
});

test('a hook that crashed asks nothing, and neither does an assertion on anything else', async () => {
  const outcome = await ask((report) => {
    assert.soft.commands.includes(report, 'a');
    throw new Error('crash');
  });
  expect([outcome.kind, outcome.questions]).toEqual(['crashed', []]);
  const context = { getCommands: () => [] } as never;
  expect(questionsOf([failure('no', 'x', () => {})], context)).toEqual([]);
});
