import { expect, test } from 'vitest';

import { BudgetSpent } from '../../core/errors.ts';
import { setAsideAmongWorkers } from './set-aside-among-workers.ts';

const HELD = new BudgetSpent('the rest is set aside', { isHeld: true });
const GONE = new BudgetSpent('nothing is left');

/** Money that is asked for, with what happens. */
function asked(answers: readonly (BudgetSpent | 'fits')[], othersGoOn: readonly boolean[]) {
  const said: string[] = [];
  const [left, others] = [[...answers], [...othersGoOn]];
  const trial = {
    async waits(isWaiting: boolean) {
      said.push(isWaiting ? 'waits' : 'goes on');
      return { othersGoOn: others.shift() ?? false };
    },
  };
  const asking = {
    signal: new AbortController().signal,
    ask: () => ({ spentUsd: 0, reservedUsd: 1, setAsideUsd: 1 }),
    withdraw: () => void said.push('withdrawn'),
  };
  const write = async () => {
    said.push('asked');
    const answer = left.shift();
    if (answer instanceof BudgetSpent) throw answer;
  };
  return { said, ask: () => setAsideAmongWorkers()(trial, asking, write) };
}

test('what fits is set aside at once', async () => {
  const { said, ask } = asked(['fits'], []);
  await ask();
  expect(said).toEqual(['asked']);
});

test('what can never fit is refused at once', async () => {
  const { said, ask } = asked([GONE], []);
  await expect(ask()).rejects.toBe(GONE);
  expect(said).toEqual(['asked', 'withdrawn']);
});

test('it waits for what is set aside for other trials as long as one of them goes on', async () => {
  const { said, ask } = asked([HELD, HELD, 'fits'], [true, true]);
  await ask();
  expect(said).toEqual(['asked', 'withdrawn', 'waits', 'asked', 'withdrawn', 'waits', 'asked', 'goes on']);
});

test('it is refused when all other trials wait too', async () => {
  const { said, ask } = asked([HELD, HELD], [false]);
  await expect(ask()).rejects.toBe(HELD);
  expect(said).toEqual(['asked', 'withdrawn', 'waits', 'asked', 'withdrawn', 'goes on']);
});

test('trials of one worker ask one after the other, and those behind count as waiting', async () => {
  const setAside = setAsideAmongWorkers();
  const said: string[] = [];
  let answer = (): void => undefined;
  const ask = async (name: string) => {
    const trial = {
      async waits(isWaiting: boolean) {
        said.push(`${name} ${isWaiting ? 'waits' : 'goes on'}`);
        return { othersGoOn: true };
      },
    };
    const asking = {
      signal: new AbortController().signal,
      ask: () => ({ spentUsd: 0, reservedUsd: 1 }),
      withdraw: () => undefined,
    };
    await setAside(trial, asking, () => {
      said.push(`${name} asks`);
      return new Promise((resolve) => (answer = resolve));
    });
  };
  const first = ask('a');
  const second = ask('b');
  await expect.poll(() => said).toEqual(['b waits', 'a asks']);
  answer();
  await first;
  await expect.poll(() => said).toEqual(['b waits', 'a asks', 'b asks']);
  answer();
  await second;
  expect(said.at(-1)).toBe('b goes on');
});
