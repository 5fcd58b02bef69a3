import { expect, test } from 'vitest';

import {
  bodyOf,
  firstChoice,
  isMoreAsked,
  isTargetChosen,
  NO_AGENT,
  NOTHING_ASKED,
  type Asked,
} from './plan.ts';

const models = { hasUser: true, hasJudge: true };

test('what is not asked for is left to the config', () => {
  expect(bodyOf(NOTHING_ASKED, { tag_any: ['a'] })).toEqual({ select: { tag_any: ['a'] } });
});

test('numbers are numbers, and other texts are left to the server', () => {
  const asked: Asked = {
    name: ' nightly ',
    line: 'prompt-b',
    tags: 'x\n\n y ',
    note: 'why',
    targets: ['desk'],
    agents: [
      { id: 'a1', version: '' },
      { id: 'a1', version: '2' },
      { id: '', version: '3' },
    ],
    repetitions: '3',
    seed: '0',
    concurrency: '4',
    budget: 'much',
    unknownCost: true,
    userModel: ' openai/gpt-4o ',
    judge: { target: '', model: '', passScore: '60' },
    isWithoutModels: false,
    answerText: 'is not asked for',
    baseline: true,
  };
  expect(bodyOf(asked, {})).toEqual({
    select: {},
    name: 'nightly',
    line: 'prompt-b',
    tags: ['x', 'y'],
    note: 'why',
    targets: ['desk'],
    agents: [{ id: 'a1' }, { id: 'a1', version: 2 }],
    repetitions: 3,
    seed: 0,
    concurrency: 4,
    budget_usd: 'much',
    allow_unknown_cost: true,
    user: { model: 'openai/gpt-4o' },
    judge: { pass_threshold: 60 },
    baseline: true,
  });
});

test('only what a first run does not need opens the rest of the form', () => {
  const asked = (next: Partial<Asked>, isNamed = true) =>
    isMoreAsked({ ...NOTHING_ASKED, ...next }, { hasUser: isNamed, hasJudge: isNamed });
  const judge = { ...NOTHING_ASKED.judge, model: 'openai/gpt-4o' };
  expect([asked({ repetitions: '3', targets: ['desk'] }), asked({ budget: '1' })]).toEqual([false, true]);
  expect([asked({ baseline: true }), asked({ note: 'why' })]).toEqual([true, true]);
  expect([asked({ userModel: 'a/b' }), asked({ judge })]).toEqual([true, true]);
  expect([asked({ userModel: 'a/b' }, false), asked({ judge }, false)]).toEqual([false, false]);
});

test('a target is chosen in the form, or as the default of the config', () => {
  const known = { ofConfig: [{ name: 'desk', isDefault: false }], stored: [], models };
  const isChosen = (next: Partial<Asked>) => isTargetChosen({ ...NOTHING_ASKED, ...next }, known);
  expect([isChosen({}), isChosen({ targets: ['desk'] })]).toEqual([false, true]);
  expect([isChosen({ agents: [NO_AGENT] }), isChosen({ agents: [{ id: 'a1', version: '' }] })]).toEqual([
    false,
    true,
  ]);
  const byDefault = { ...known, ofConfig: [{ name: 'desk', isDefault: true }] };
  expect(isTargetChosen(NOTHING_ASKED, byDefault)).toBe(true);
});

test('the default target of the config is chosen already, else the only agent', () => {
  const agent = { id: 'a1', name: 'shop', version: 2 };
  const desk = { name: 'desk', isDefault: true };
  const other = { name: 'other', isDefault: false };
  const chosen = { agents: [{ id: 'a1', version: '' }] };
  expect(firstChoice({ ofConfig: [other, desk], stored: [agent] })).toEqual({ targets: ['desk'] });
  expect(firstChoice({ ofConfig: [], stored: [agent] })).toEqual(chosen);
  expect([
    firstChoice({ ofConfig: [other], stored: [agent] }),
    firstChoice({ ofConfig: [], stored: [agent, agent] }),
    firstChoice({ ofConfig: [], stored: [] }),
  ]).toEqual([{}, {}, {}]);
});
