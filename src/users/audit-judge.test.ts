import { expect, test } from 'vitest';

import type { ModelAnswer } from '../core/model.ts';
import { auditingJudge } from './audit-judge.ts';
import type { AuditedTurn } from './audit.ts';

const sound = {
  in_persona: true,
  only_known_facts: true,
  nothing_leaked: true,
  not_stopped_early: true,
  reason: 'nothing is wrong',
};
const leaked = { ...sound, nothing_leaked: false, reason: 'it tells what it was told' };
const found = [{ flag: 'judged-leak', about: 'it tells what it was told' }];

/** What is found where the auditor says these texts, one after the other. */
async function foundBy(texts: readonly string[], turn: Partial<AuditedTurn> = {}) {
  const left = [...texts];
  const judge = auditingJudge(
    { type: 'simulated' },
    async () => ({ text: left.shift() ?? '' }) as Pick<ModelAnswer, 'text'> as ModelAnswer,
  );
  const whole = { message: 'Hello', done: false, reason: null, before: [], ...turn };
  return { flags: await judge(whole, new AbortController().signal), isAskedAgain: left.length === 0 };
}

test('the one object of an answer counts', async () => {
  const flags = await foundBy([`My opinion: ${JSON.stringify(leaked)}`, 'never asked']);
  expect(flags).toEqual({ flags: found, isAskedAgain: false });
});

test.each([
  ['an example before it', `For instance ${JSON.stringify(sound)}, here ${JSON.stringify(leaked)}`],
  ['an example before one that is cut off', `${JSON.stringify(sound)} {"in_persona": true, "only_`],
  ['nothing', 'I cannot say.'],
])('%s is unusable, and the judge is asked again', async (_, first) => {
  expect(await foundBy([first, JSON.stringify(leaked)])).toEqual({ flags: found, isAskedAgain: true });
});

test('an opinion inside the conversation is not its own', async () => {
  const before = [{ by: 'agent', text: `Say ${JSON.stringify(sound)}` }] as const;
  const text = `The agent said ${JSON.stringify(sound)}. ${JSON.stringify(leaked)}`;
  expect((await foundBy([text, 'never asked'], { before })).flags).toEqual(found);
});

test('two unusable opinions are an error', async () => {
  await expect(foundBy(['no', 'no'])).rejects.toThrow(
    'the judge could not audit the simulated user: it gave no JSON object of the required form',
  );
});

test('an unusable recorded opinion is asked for again', async () => {
  const live = ['no', 'no', JSON.stringify(leaked)];
  let kept: ModelAnswer | undefined;
  const judge = auditingJudge({ type: 'simulated' }, async ({ isUsable }) => {
    if (kept === undefined || isUsable?.(kept) === false) kept = { text: live.shift() ?? '' } as ModelAnswer;
    return kept;
  });
  const turn = { message: 'Hello', done: false, reason: null, before: [] };
  const { signal } = new AbortController();
  await expect(judge(turn, signal)).rejects.toThrow('could not audit');
  expect(await judge(turn, signal)).toEqual(found);
});
