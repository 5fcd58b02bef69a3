import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { pythonIsThere } from '../../test/support/python.ts';
import { python } from './python.ts';
import { problemsOf, services, subjectOf, type SubjectSketch } from './subject.fixture.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

const PATH = process.env['PATH'] ?? '';

const booked: SubjectSketch = {
  answer: 'Your room in Riga is booked.',
  reference: 'booked',
  case: { vars: { city: 'Riga' }, metadata: { stars: 3 } },
  entries: [
    { type: 'message', role: 'user', parts: [{ text: 'Book it.' }] },
    { type: 'tool-call', callId: '1', name: 'book', input: { nights: 2 } },
    { type: 'tool-result', callId: '1', output: 'done' },
    { type: 'message', role: 'assistant', parts: [{ text: 'Your room in Riga is booked.' }] },
  ],
};

const environment = { PATH };

async function findingOf(settings: object, sketch: SubjectSketch, directory = '/') {
  const config = python.config.parse(settings);
  const grader = python.create(config, { ...services, directory, environment });
  return (await grader.grade(subjectOf(sketch), new AbortController().signal))[0];
}

test('a file of Python is named by a relative path', () => {
  expect(problemsOf(python, { value: 'file:///etc/check.py' })).toEqual([
    'value: must be relative to this file, such as file://checks/check.py',
  ]);
  expect(problemsOf(python, { value: 'file://check.ts' })).toEqual(['value: must name a .py file']);
});

describe.runIf(pythonIsThere())('with python3', () => {
  test('an expression sees the answer, the variables and the calls of tools', async () => {
    const value = "vars['city'] in output and calls('refund') == 0";
    expect(await findingOf({ value }, booked)).toEqual({
      score: 1,
      reason: `the check holds: ${JSON.stringify(value)}`,
    });
    expect((await findingOf({ value: "calls('book') == 0" }, booked))?.score).toBe(0);
  });

  test.each(['context["trace"] is None', 'context.get("trace") is None'])(
    'a check from promptfoo that reads what assay does not have is errored: %s',
    async (value) => {
      const fault = 'assay does not have context["trace"]';
      await expect(findingOf({ value }, booked)).rejects.toThrow(fault);
      expect((await findingOf({ value: value.replace('trace', 'vars') }, booked))?.score).toBe(0);
      expect((await findingOf({ value: 'context.get("other", 1) == 1' }, booked))?.score).toBe(1);
    },
  );

  test('checks of two folders import their own helpers', async () => {
    const directory = folderOfTest('python-folders-');
    const scores: unknown[] = [];
    for (const [folder, score] of [
      ['a', 0.25],
      ['b', 0.75],
    ] as const) {
      mkdirSync(join(directory, folder));
      writeFileSync(join(directory, folder, 'helpers.py'), `limit = ${score}\n`);
      const check = 'from helpers import limit\ndef check(input):\n    return limit\n';
      writeFileSync(join(directory, folder, 'check.py'), check);
      scores.push((await findingOf({ value: `file://${folder}/check.py` }, booked, directory))?.score);
    }
    expect(scores).toEqual([0.25, 0.75]);
  });

  test('a check in a text may read context, as for promptfoo', async () => {
    const value = "context['vars']['city'] == 'Riga' and context['prompt'] == 'Book it.'";
    expect((await findingOf({ value }, booked))?.score).toBe(1);
  });

  test('a check sees the whole conversation', async () => {
    const value =
      "import json\nreturn {'score': 1, 'reason': json.dumps([turns, expected, metadata, config, calls(), test_id])}";
    const { reason = '' } = (await findingOf({ value, config: { a: 1 } }, booked)) ?? {};
    const call = { tool: 'book', input: { nights: 2 }, output: 'done', failed: false, turn: 1 };
    expect(JSON.parse(reason)).toEqual([
      [{ turn: 1, user: 'Book it.', assistant: 'Your room in Riga is booked.', calls: [call] }],
      'booked',
      { stars: 3 },
      { a: 1 },
      1,
      'case',
    ]);
  });

  test.each([
    ["{'score': 0.7, 'reason': 'nearly'}", { score: 0.7, reason: 'nearly' }],
    ["{'pass_': False, 'reason': 'no'}", { score: 0, passed: false, reason: 'no' }],
    ["assert 1 == 2, 'one is not two'\nreturn True", { score: 0, reason: 'one is not two' }],
  ])('%s is a grade', async (value, finding) => {
    expect(await findingOf({ value }, {})).toEqual(finding);
  });

  test.each([
    ["float('nan')", 'the check returned nan; return True, False, a number from 0 to 1'],
    ['2', 'the check returned 2;'],
    ['object()', 'the check returned <object object at'],
    ['x = 1', 'the check returned "None";'],
    ["raise 'a text'", 'the check threw TypeError: exceptions must derive from BaseException (check:1)'],
    ['nowhere.at', "the check threw NameError: name 'nowhere' is not defined (check:1)"],
    ['output.(', 'the check is not Python: '],
    ['import sys\nsys.exit(3)', 'the check called sys.exit(3)'],
    ['import os\nos._exit(3)', 'the check ended its process, with exit code 3'],
    ["return 'x' * (8 * 2 ** 30)", 'the check threw MemoryError'],
  ])('%s errors the grade', async (value, words) => {
    await expect(findingOf({ value }, {})).rejects.toThrow(words);
  });

  test.each(['while True: pass', 'import time\ntime.sleep(3600)'])(
    '%s is ended, and the next check runs',
    async (value) => {
      await expect(findingOf({ value, timeout_ms: 300 }, {})).rejects.toThrow(
        'the check took more than 300 ms',
      );
      expect((await findingOf({ value: 'True' }, {}))?.score).toBe(1);
    },
  );

  test('a check that changes its input does not change that of the next check', async () => {
    const value = "vars['city'] = 'Oslo'; turns.clear(); return True";
    expect((await findingOf({ value }, booked))?.score).toBe(1);
    expect((await findingOf({ value: "vars['city'] == 'Riga' and len(turns) == 1" }, booked))?.score).toBe(1);
  });

  test('what a check and its programs print does not disturb the answer', async () => {
    const value =
      "import os, sys\nprint('{\"said\": 1}'); sys.stderr.write('noise'); os.system('echo noise')\nreturn input is not None";
    expect((await findingOf({ value }, {}))?.score).toBe(1);
  });

  test('checks in files share a process, and import their neighbours', async () => {
    const directory = folderOfTest('assay-check-');
    writeFileSync(join(directory, 'cities.py'), "CITIES = ['Riga']\n");
    writeFileSync(
      join(directory, 'check.py'),
      "import os\nfrom cities import CITIES\ndef check(input):\n    return {'score': 1, 'reason': CITIES[0] + input.vars['city'] + str(os.getpid())}\n",
    );
    writeFileSync(
      join(directory, 'ported.py'),
      "def get_assert(output, context):\n    return {'pass': context['vars']['city'] in output, 'score': 0.5, 'reason': 'ported'}\n",
    );
    writeFileSync(join(directory, 'none.py'), 'value = 1\n');
    const first = await findingOf({ value: 'file://check.py' }, booked, directory);
    expect(first?.reason).toMatch(/^RigaRiga\d+$/);
    expect(await findingOf({ value: 'file://check.py' }, booked, directory)).toEqual(first);
    expect(await findingOf({ value: 'file://ported.py' }, booked, directory)).toEqual({
      score: 0.5,
      passed: true,
      reason: 'ported',
    });
    await expect(findingOf({ value: 'file://none.py' }, booked, directory)).rejects.toThrow(
      'has no check: write def check(input)',
    );
  });
});
