import { expect, test } from 'vitest';

import { assert } from './assert.ts';
import { failure } from './failure.ts';
import type { ExplainContext } from './options.ts';
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

test('every failed assertion on the report leaves a question, the author’s or the default one', async () => {
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

test('a question gets the report and what the assertion compared', async () => {
  const asked: unknown[] = [];
  const explain = {
    question: ({ report, expected, actual, observed, finalOutput }: ExplainContext) => {
      asked.push({ expected, actual, observed });
      return `${report.finalOutput} ${finalOutput()}`;
    },
  };
  const outcome = await runHook({
    testCase: {
      assert: (report) => {
        assert.soft.commands.includes(report, 'a', { explain });
        assert.soft.commands.exactlyOne(report, /p/, { explain });
        assert.soft.commands.size(report, 3, { explain });
        assert.soft.commands.before(report, 'q', 'p', { explain });
        assert.soft.toolCalls.count(report, { tool: 'Bash' }, 1, { explain });
        assert.soft.skills.includes(report, ['x', 'y'], { explain });
        assert.soft.output.includes(report, 'no', { explain });
      },
    },
    report: {
      ...reportWith([
        { type: 'command', command: 'p 1' },
        { type: 'command', command: 'p 2' },
      ]),
      finalOutput: 'done',
    },
    timeoutMs: 1000,
    signal: new AbortController().signal,
  });
  const commands = ['p 1', 'p 2'];
  expect(questions(outcome)).toEqual(Array.from({ length: 7 }, () => 'done done'));
  expect(asked).toEqual([
    { expected: 'a', observed: commands },
    { expected: 1, actual: 2, observed: commands },
    { expected: 3, actual: 2, observed: commands },
    { expected: ['q', 'p'], observed: commands },
    { expected: 1, actual: 0, observed: [] },
    { expected: ['x', 'y'], actual: ['x', 'y'], observed: [] },
    { expected: 'no', observed: 'done' },
  ]);
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
