import { describe, expect, test } from 'vitest';

import type { TestCase } from '../../core/test-case.ts';
import { chooseJudge, judgeTargets, type JudgeNames } from './choose-judge.ts';
import { given } from '../../lib/given.ts';

const model = { model: 'openai/gpt' };
const names: JudgeNames = {
  flag: undefined,
  ofTarget: (target) => (target === 'own' ? 'its-judge' : undefined),
  ofConfig: model,
};

describe('the judge is', () => {
  test.each([
    ['the one of the flag, over all', { ...names, flag: 'flagged' }, 'named', 'own', 'flagged'],
    ['the one the grader names', names, 'named', 'own', 'named'],
    ['the one of the target', names, undefined, 'own', 'its-judge'],
    ['the one of the config', names, undefined, 'other', model],
    [
      'no judge, and never the target itself',
      { ...names, ofConfig: undefined },
      undefined,
      'other',
      undefined,
    ],
  ] as const)('%s', (_, supplied, named, target, judge) => {
    expect(chooseJudge(supplied, named, target)).toEqual(judge);
  });
});

describe('the judges of a plan', () => {
  const digests = (judges?: readonly (string | null)[]) => ({
    case: 0,
    graders: [],
    ...given({ judges }),
  });
  const made = (id: string): TestCase => ({
    id,
    source: { file: `${id}.yaml`, line: 2 },
    directory: '/',
    tags: [],
    input: [],
    expectations: [],
  });
  const suites = [
    { id: 'stored', cases: { length: 2, at: (index: number) => made(['x', 'y'][index] ?? '') } },
  ];

  test('are the targets that anybody names, each once', () => {
    const cases = [
      { suite: 0, index: 0, id: 'x', targets: ['own', 'other'], digests: digests([null, 'named']) },
      { suite: 0, index: 1, id: 'y', targets: ['own'], digests: digests(['named']) },
      { suite: 0, index: 2, id: 'z', targets: ['other'], digests: digests() },
    ];
    expect(judgeTargets({ suites, cases }, names)).toEqual({
      targets: ['its-judge', 'named'],
      problems: [],
    });
  });

  test('are a problem where one is missing, told once a suite and target, where its first case is written', () => {
    const cases = ['x', 'y'].map((id, index) => ({
      suite: 0,
      index,
      id,
      targets: ['other'],
      digests: digests([null]),
    }));
    const { targets, problems } = judgeTargets({ suites, cases }, { ...names, ofConfig: undefined });
    expect([targets, problems.map(({ code, file, line }) => [code, file, line])]).toEqual([
      [],
      [['no-judge', 'x.yaml', 2]],
    ]);
  });
});
