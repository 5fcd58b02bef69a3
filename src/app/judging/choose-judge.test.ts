import { describe, expect, test } from 'vitest';

import { chooseJudge, judgeTargets, type JudgeNames } from './choose-judge.ts';

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
    ['nobody, and never the target itself', { ...names, ofConfig: undefined }, undefined, 'other', undefined],
  ] as const)('%s', (_, given, named, target, judge) => {
    expect(chooseJudge(given, named, target)).toEqual(judge);
  });
});

describe('the judges of a plan', () => {
  const digests = (judges?: readonly (string | null)[]) => ({
    case: 0,
    graders: [],
    ...(judges === undefined ? {} : { judges }),
  });
  const suites = [{ id: 'a.eval.yaml' }];

  test('are the targets that anybody names, each once', () => {
    const cases = [
      { suite: 0, id: 'x', targets: ['own', 'other'], digests: digests([null, 'named']) },
      { suite: 0, id: 'y', targets: ['own'], digests: digests(['named']) },
      { suite: 0, id: 'z', targets: ['other'], digests: digests() },
    ];
    expect(judgeTargets({ suites, cases }, names)).toEqual({
      targets: ['its-judge', 'named'],
      problems: [],
    });
  });

  test('are a problem where one is missing, told once a suite and target', () => {
    const cases = ['x', 'y'].map((id) => ({ suite: 0, id, targets: ['other'], digests: digests([null]) }));
    const { targets, problems } = judgeTargets({ suites, cases }, { ...names, ofConfig: undefined });
    expect([targets, problems.map(({ code, file }) => [code, file])]).toEqual([
      [],
      [['no-judge', 'a.eval.yaml']],
    ]);
  });
});
