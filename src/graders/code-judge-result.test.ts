import { describe, expect, test } from 'vitest';

import { findingOf, findingOfExitCode, ScriptError, type ScriptEnd } from './code-judge-result.ts';

const end = (change: Partial<ScriptEnd>): ScriptEnd => ({
  exitCode: 0,
  signal: null,
  stdout: '',
  stderr: '',
  ...change,
});
const printing = (stdout: string, exitCode = 0) => findingOf(end({ stdout, exitCode }));

describe('a JSON object', () => {
  test('on the last line overrides earlier output', () => {
    expect(printing('loading\n{"score": 1}\n{"score": 0.5, "reasoning": "half"}\n\n')).toEqual({
      score: 0.5,
      reason: 'half',
    });
  });

  test('as all of the output may span lines', () => {
    expect(printing('{\n  "score": 0,\n  "reason": "wrong"\n}\n')).toEqual({ score: 0, reason: 'wrong' });
  });

  test('counts for every exit code below 64 and any stderr', () => {
    expect(findingOf(end({ exitCode: 63, stdout: '{"score":1,"reason":"r"}', stderr: 'noise' }))).toEqual({
      score: 1,
      reason: 'r',
    });
  });

  test('carries its own passed, hits, misses, evidence and details', () => {
    const answer = {
      score: 0.4,
      passed: true,
      hits: ['names the party'],
      misses: ['no date'],
      evidence: [{ text: 'said in turn 2', passed: true, turn: 2 }],
      details: { riskLevel: [1] },
    };
    expect(printing(JSON.stringify(answer))).toEqual({
      score: 0.4,
      passed: true,
      reason: 'missed: no date',
      evidence: [
        { text: 'names the party', passed: true },
        { text: 'no date', passed: false },
        { text: 'said in turn 2', passed: true, turns: [2] },
      ],
      details: { riskLevel: [1] },
    });
  });

  test('may have null for unknown values', () => {
    expect(printing('{"score": 1, "passed": null, "reason": null, "hits": null, "details": null}')).toEqual({
      score: 1,
      reason: 'the script returned 1 without a reason',
    });
  });

  test('with unknown keys causes a note', () => {
    expect(printing('{"score": 1, "resaon": "typo"}').notes).toEqual([
      'the output of the script has unknown keys: resaon',
    ]);
  });

  test.each([
    ['without a score', '{"passed": true}', 'score: is missing\n'],
    ['with a score above 1', '{"score": 1.5}', 'score: must be a number from 0 to 1\n'],
    ['with a score below 0', '{"score": -0.1}', 'score: must be a number from 0 to 1\n'],
    ['with a text as score', '{"score": "1"}', 'score: must be a number from 0 to 1\n'],
    ['with a list of numbers as hits', '{"score": 1, "hits": [1]}', 'hits.0: '],
  ])('%s is an error of the grader', (_, stdout, place) => {
    const failing = () => printing(stdout);
    expect(failing).toThrow(ScriptError);
    expect(failing).toThrow(`the output of the script is not a valid grade: ${place}`);
    expect(failing).toThrow(`stdout: ${stdout}`);
  });
});

describe('no JSON object', () => {
  test('and nothing printed with exit code 0 is 1, even with warnings on stderr', () => {
    expect(findingOf(end({ stdout: ' \n', stderr: 'deprecated' }))).toEqual({
      score: 1,
      reason: 'the script exited with 0 and no output',
    });
  });

  test('and exit code 1 with an empty stderr is 0', () => {
    expect(printing('3 lines differ', 1)).toEqual({
      score: 0,
      reason: 'the script exited with 1: 3 lines differ',
    });
  });

  test.each([
    ['prose and exit code 0', end({ stdout: 'all good' })],
    ['a list', end({ stdout: '[1]' })],
    ['an object that was cut', end({ stdout: '{"score": 1' })],
    ['an object before the last line', end({ stdout: '{"score": 1}\nbye' })],
    ['exit code 1 and a traceback', end({ exitCode: 1, stderr: 'Traceback' })],
    ['exit code 2', end({ exitCode: 2 })],
  ])('but %s is an error of the grader', (_, ending) => {
    expect(() => findingOf(ending)).toThrow('and printed no JSON object with a score');
  });
});

test('exit code 64 and above is an error even with a score', () => {
  expect(() => printing('{"score": 1}', 64)).toThrow('the script exited with 64');
});

test('a death by signal is an error even with a score', () => {
  const died = end({ exitCode: null, signal: 'SIGSEGV', stdout: '{"score": 1}' });
  expect(() => findingOf(died)).toThrow('the script was ended by SIGSEGV');
  expect(() => findingOfExitCode(died)).toThrow('the script was ended by SIGSEGV');
});

test('long streams are shown by their ends', () => {
  const failing = () => findingOf(end({ exitCode: 3, stderr: `${'x'.repeat(20_000)}the cause\n` }));
  expect(failing).toThrow(/stderr: \.\.\. x{991}the cause$/);
});
