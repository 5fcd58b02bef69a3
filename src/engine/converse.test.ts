import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { MeasurementError } from '../core/errors.ts';
import { DEFAULT_LIMITS, type Limits } from '../core/limits.ts';
import type { Price } from '../core/price.ts';
import type { Fact } from '../core/run.ts';
import type { Yielded } from '../core/target.ts';
import type { TranscriptEntry } from '../core/transcript.ts';
import { usageOf } from '../core/usage.ts';
import type { User } from '../core/user.ts';
import { given } from '../lib/given.ts';
import { scriptedUser } from '../users/scripted.ts';
import { converse, newConversation, type Conversation } from './converse.ts';
import {
  brokenTurn,
  hangingTurn,
  message,
  says,
  sessionOf,
  tickingClock,
  turnOf,
  userOf,
  type TurnScript,
} from './fixtures/trial-context.ts';
import { stepsInto } from './steps.ts';
import { startWatch, type Watch } from './watch.ts';

interface Setup {
  readonly user: User;
  readonly turns?: readonly TurnScript[];
  readonly limits?: Partial<Limits>;
  readonly price?: Price;
}

interface Held extends Conversation {
  readonly roles: string;
  readonly error?: unknown;
  readonly recorded: readonly TranscriptEntry[];
}

const none: Limits = { ...DEFAULT_LIMITS, timeoutMs: null, turnTimeoutMs: null };

/** Holds a conversation to its end, good or bad. */
async function held(
  { user, turns = [turnOf([says('yes')])], limits, price }: Setup,
  act?: (watch: Watch) => void,
): Promise<Held> {
  const all = { ...none, ...limits };
  const watch = startWatch(all);
  const conversation = newConversation();
  const recorded: TranscriptEntry[] = [];
  const talk = {
    session: sessionOf(turns),
    user,
    watch,
    limits: all,
    price,
    now: tickingClock(),
    countSteps: stepsInto(conversation),
    tell: (fact: Fact) => {
      if (fact.type === 'transcript-entry' && !('attachment' in fact.entry)) recorded.push(fact.entry);
    },
  };
  const work = converse(talk, conversation);
  act?.(watch);
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  watch.stop();
  const roles = conversation.transcript.flatMap((entry) =>
    entry.type === 'message' ? entry.role.slice(0, 1) : [],
  );
  return { ...conversation, roles: roles.join(' '), recorded, ...given({ error }) };
}

const lines = (...texts: readonly string[]) => scriptedUser(texts.map((text) => ({ parts: [{ text }] })));
const ends: TurnScript = turnOf([says('bye')], { ended: { reason: 'flag' } });
const answers: TurnScript = turnOf([says('yes')]);
const done = (reason?: string) => ({ done: reason === undefined ? {} : { reason } });

test('a turn whose end knows its steps better corrects them, and later turns go on from there', async () => {
  const corrected = turnOf([says('yes')], { steps: 4 });
  const { steps } = await held({ user: lines('1', '2', '3'), turns: [answers, corrected, answers] });
  expect(steps).toBe(6);
});

describe('the loop', () => {
  test.each<[string, Setup, string, Conversation['end']]>([
    [
      'initial, cap 1',
      { user: userOf([message('1'), message('2')]), limits: { maxTurns: 1 } },
      'u a',
      { by: 'cap' },
    ],
    [
      'initial, cap 2',
      { user: userOf([message('1'), message('2')]), limits: { maxTurns: 2 } },
      'u a u a',
      { by: 'cap' },
    ],
    [
      'a message, then done',
      { user: userOf([message('1'), message('2'), done('satisfied')]) },
      'u a u a',
      { by: 'user', reason: 'satisfied' },
    ],
    ['done at once after the first answer', { user: userOf([message('1'), done()]) }, 'u a', { by: 'user' }],
    [
      'a message together with done is still answered',
      { user: userOf([message('1'), { ...message('2'), ...done('handed-over') }]) },
      'u a u a',
      { by: 'user', reason: 'handed-over' },
    ],
    [
      'the first message together with done',
      { user: userOf([{ ...message('1'), ...done('satisfied') }]) },
      'u a',
      { by: 'user', reason: 'satisfied' },
    ],
    [
      'the agent ends in turn 1',
      { user: userOf([message('1')]), turns: [ends] },
      'u a',
      { by: 'agent', reason: 'flag' },
    ],
    [
      'the agent ends in its second turn, which is also the cap',
      { user: userOf([message('1'), message('2')]), turns: [answers, ends], limits: { maxTurns: 2 } },
      'u a u a',
      { by: 'agent', reason: 'flag' },
    ],
    [
      'the agent ends a turn in which the user was done',
      { user: userOf([{ ...message('1'), ...done('satisfied') }]), turns: [ends] },
      'u a',
      { by: 'agent', reason: 'flag' },
    ],
    [
      'the cap comes before done',
      { user: userOf([{ ...message('1'), ...done('satisfied') }]), limits: { maxTurns: 1 } },
      'u a',
      { by: 'cap' },
    ],
    [
      'the agent speaks first, cap 2',
      { user: userOf([message('1')], false), limits: { maxTurns: 2 } },
      'a u a',
      { by: 'cap' },
    ],
    ['scripted, three lines', { user: lines('initial', 'a', 'b') }, 'u a u a u a', { by: 'script' }],
    ['scripted, one line', { user: lines('a') }, 'u a', { by: 'script' }],
    [
      'scripted, three lines, cap 2',
      { user: lines('a', 'b', 'c'), limits: { maxTurns: 2 } },
      'u a u a',
      { by: 'cap' },
    ],
    [
      'the agent ends without a word',
      { user: lines('a', 'b'), turns: [turnOf([], { ended: {} })] },
      'u',
      { by: 'agent' },
    ],
    [
      'a blank answer is an answer',
      { user: lines('a', 'b'), turns: [turnOf([says('')])] },
      'u a u a',
      { by: 'script' },
    ],
  ])('%s', async (_, setup, roles, end) => {
    const { roles: said, end: ended, error } = await held(setup);
    expect({ roles: said, end: ended, error }).toEqual({ roles, end, error: undefined });
  });

  test.each([
    ['initial, cap 1', [message('1'), message('2')], 1, 1],
    ['initial, cap 2', [message('1'), message('2'), message('3')], 2, 2],
    ['message together with done', [message('1'), { ...message('2'), ...done() }, message('3')], null, 2],
  ])('the user is asked no more than it is heard: %s', async (_, turns, maxTurns, asked) => {
    const user = userOf(turns);
    await held({ user, limits: { maxTurns } });
    expect(user.asked()).toBe(asked);
  });

  test('an error of the agent in its second turn keeps what was said until then', async () => {
    const error = new MeasurementError('500', { stage: 'target', kind: 'http-error' });
    const conversation = await held({ user: lines('a', 'b'), turns: [answers, brokenTurn([], error)] });
    expect(conversation).toMatchObject({ roles: 'u a u', error, end: undefined });
    expect(conversation.latency).toHaveLength(1);
  });
});

describe('the user', () => {
  test.each([
    ['is done before the first word', userOf([done('satisfied')])],
    ['has nothing to say at the start', userOf([])],
    ['has a script without lines', lines()],
  ])('that %s is errored user/simulator, and the target is not asked', async (_, user) => {
    const { error, roles } = await held({ user });
    expect({ error, roles }).toMatchObject({
      error: { stage: 'user', kind: 'simulator', transient: false },
      roles: '',
    });
    expect(error).toBeInstanceOf(MeasurementError);
  });

  test('that throws is errored user/simulator with its message, and the transcript is kept', async () => {
    const user: User = {
      speaksFirst: true,
      next: (transcript) =>
        transcript.length === 0
          ? Promise.resolve(message('hello'))
          : Promise.reject(new TypeError('no model')),
    };
    expect(await held({ user })).toMatchObject({
      roles: 'u a',
      error: { stage: 'user', kind: 'simulator', message: 'no model' },
    });
  });

  test('that knows what went wrong is believed', async () => {
    const error = new MeasurementError('gone', { stage: 'user', kind: 'simulator', detail: 'unavailable' });
    const user: User = { speaksFirst: true, next: () => Promise.reject(error) };
    expect((await held({ user })).error).toBe(error);
  });

  test('is blamed when time runs out while it is asked', async () => {
    const user: User = { speaksFirst: true, next: () => new Promise(() => {}) };
    expect(await held({ user, limits: { timeoutMs: 15, turnTimeoutMs: 5 } })).toMatchObject({
      error: { stage: 'user', kind: 'timeout', limit: { kind: 'timeout', ceiling: 15 } },
    });
  });

  test('sees the transcript so far and nothing else', async () => {
    const seen: number[] = [];
    const user: User = {
      speaksFirst: true,
      next: (transcript) => {
        seen.push(transcript.length);
        return Promise.resolve(seen.length < 3 ? message('m') : done());
      },
    };
    await held({ user });
    expect(seen).toEqual([0, 2, 4]);
  });

  test('leaves notes and flags on the conversation', async () => {
    const user = userOf([
      { ...message('1'), note: 'polite', flags: ['repeat'] },
      { ...done(), flags: ['early-stop'] },
    ]);
    expect(await held({ user })).toMatchObject({ notes: ['polite'], flags: ['repeat', 'early-stop'] });
  });
});

describe('entries', () => {
  test('have their time, turn and order, and are yielded as they come', async () => {
    const call: Yielded = { type: 'tool-call', callId: 'c', name: 'look', input: { a: 1 }, step: 1 };
    const result: Yielded = {
      type: 'tool-result',
      callId: 'c',
      output: null,
      at: '2025-12-31T23:59:59.000Z',
    };
    const { transcript, recorded, turns } = await held({
      user: lines('a', 'b'),
      turns: [turnOf([call, result, says('one')]), turnOf([says('two')])],
    });
    expect(transcript).toEqual([
      {
        id: 'e1',
        at: '2026-01-01T00:00:01.000Z',
        turn: 1,
        type: 'message',
        role: 'user',
        parts: [{ text: 'a' }],
      },
      { id: 'e2', at: '2026-01-01T00:00:02.000Z', turn: 2, ...call },
      { id: 'e3', turn: 2, ...result },
      { id: 'e4', at: '2026-01-01T00:00:03.000Z', turn: 2, ...says('one') },
      {
        id: 'e5',
        at: '2026-01-01T00:00:04.000Z',
        turn: 3,
        type: 'message',
        role: 'user',
        parts: [{ text: 'b' }],
      },
      { id: 'e6', at: '2026-01-01T00:00:05.000Z', turn: 4, ...says('two') },
    ]);
    expect(recorded).toEqual(transcript);
    expect(turns).toBe(2);
  });

  test('count steps over all turns', async () => {
    const tool: readonly Yielded[] = [
      { type: 'tool-call', callId: 'c', name: 'look', input: {} },
      { type: 'tool-result', callId: 'c', output: null },
    ];
    const { steps } = await held({
      user: lines('a', 'b', 'c'),
      turns: [turnOf([...tool, says('x')]), answers],
    });
    expect(steps).toBe(4);
  });

  test('notes of a turn are kept, and every turn has its latency', async () => {
    const { notes, latency } = await held({
      user: lines('a', 'b'),
      turns: [turnOf([says('x')], { notes: ['n'] })],
    });
    expect({ notes, turns: latency.length, numbers: latency.every(Number.isInteger) }).toEqual({
      notes: ['n', 'n'],
      turns: 2,
      numbers: true,
    });
  });
});

describe('spending', () => {
  const spends = (overrides: Partial<Yielded & { type: 'usage' }> = {}): Yielded => ({
    type: 'usage',
    ...usageOf(50, 10, { cacheReadTokens: 20 }),
    ...overrides,
  });

  test('is summed over turns; money as the agent reported it', async () => {
    const { usage, costUsd } = await held({
      user: lines('a', 'b'),
      turns: [turnOf([says('x'), spends({ costUsd: 0.25 })])],
    });
    expect({ usage, costUsd }).toEqual({ usage: usageOf(100, 20, { cacheReadTokens: 40 }), costUsd: 0.5 });
  });

  test('is priced where the agent does not say and a price is known', async () => {
    const { costUsd } = await held({
      user: lines('a'),
      turns: [turnOf([spends()])],
      price: { input: 2, output: 10, cacheRead: 1 },
    });
    expect(costUsd).toBeCloseTo((30 * 2 + 20 + 100) / 1e6, 12);
  });

  test('is unknown as soon as a part of it is, and nothing reported is not 0', async () => {
    const known = spends({ costUsd: 0.25 });
    expect((await held({ user: lines('a'), turns: [turnOf([known, spends(), known])] })).costUsd).toBe(null);
    expect(await held({ user: lines('a') })).toMatchObject({ usage: undefined, costUsd: undefined });
  });

  test('without tokens still costs money, and the known tokens stay', async () => {
    const priceless: Yielded = { type: 'usage', costUsd: 0.5 };
    const price = { input: 2, output: 10 };
    const seen = await held({
      user: lines('a'),
      turns: [turnOf([priceless, spends({ costUsd: 1 })])],
      price,
    });
    expect(seen).toMatchObject({
      usage: usageOf(50, 10, { cacheReadTokens: 20 }),
      hasUnknownTokens: true,
      costUsd: 1.5,
    });
    const alone = await held({ user: lines('a'), turns: [turnOf([priceless])] });
    expect(alone).toMatchObject({ usage: undefined, costUsd: 0.5 });
    const unpriced = await held({ user: lines('a'), turns: [turnOf([{ type: 'usage' }])], price });
    expect(unpriced.costUsd).toBe(null);
  });

  test('of auxiliary requests is kept apart from the tokens of the loop, but costs money too', async () => {
    const { usage, costUsd } = await held({
      user: lines('a'),
      turns: [turnOf([spends({ costUsd: 1 }), spends({ auxiliary: true, costUsd: 2 })])],
    });
    expect({ usage, costUsd }).toEqual({ usage: usageOf(50, 10, { cacheReadTokens: 20 }), costUsd: 3 });
  });
});

describe('ceilings', () => {
  const sixty: Yielded = { type: 'usage', ...usageOf(50, 10) };

  test('60 tokens a turn meet a ceiling of 100 after turn 2', async () => {
    const conversation = await held({
      user: lines('a', 'b', 'c'),
      turns: [turnOf([says('x'), sixty])],
      limits: { maxTokens: 100 },
    });
    expect(conversation).toMatchObject({
      roles: 'u a u a',
      end: undefined,
      error: {
        stage: 'target',
        kind: 'token-limit',
        limit: { kind: 'token-limit', ceiling: 100, reached: 120 },
      },
    });
  });

  test('a turn in which the agent ends the conversation ends so, even above the cost limit', async () => {
    const ending = turnOf([says('x'), sixty, says('bye')], { ended: { reason: 'solved' } });
    expect(await held({ user: lines('a'), turns: [ending], limits: { maxTokens: 50 } })).toMatchObject({
      roles: 'u a a',
      end: { by: 'agent', reason: 'solved' },
      usage: usageOf(50, 10),
    });
  });

  test('an agent that continues after a ceiling is not waited for', async () => {
    const did: string[] = [];
    const busy: TurnScript = async function* () {
      yield sixty;
      yield { type: 'tool-call', callId: 'c', name: 'look', input: {} };
      did.push('looked');
      return { ended: {} };
    };
    const stuck = turnOf([sixty]);
    const hung: TurnScript = async function* (watched, turn) {
      yield* stuck(watched, turn);
      return await new Promise<never>(() => {});
    };
    for (const turns of [[busy], [hung]]) {
      expect(await held({ user: lines('a'), turns, limits: { maxTokens: 50 } })).toMatchObject({
        end: undefined,
        error: { kind: 'token-limit' },
      });
    }
    expect(did).toEqual([]);
  });

  test('the first event of a step too many ends the session, and the agent does no more', async () => {
    const did: string[] = [];
    const busy: TurnScript = async function* () {
      for (let i = 1; i <= 5; i++) {
        did.push(`step ${i}`);
        yield { type: 'tool-call', callId: `c${i}`, name: 'look', input: {} };
        did.push(`after ${i}`);
        yield { type: 'tool-result', callId: `c${i}`, output: null };
      }
      return {};
    };
    expect(await held({ user: lines('a'), turns: [busy], limits: { maxSteps: 2 } })).toMatchObject({
      steps: 3,
      error: { stage: 'target', kind: 'max-steps', limit: { kind: 'max-steps', ceiling: 2, reached: 3 } },
    });
    expect(did).toEqual(['step 1', 'after 1', 'step 2', 'after 2', 'step 3']);
  });

  test('money spent beyond the ceiling ends it as budget', async () => {
    const turns = [turnOf([says('x'), { ...sixty, costUsd: 0.3 } as Yielded])];
    expect(await held({ user: lines('a', 'b'), turns, limits: { maxCostUsd: 0.5 } })).toMatchObject({
      error: { kind: 'budget', limit: { kind: 'budget', ceiling: 0.5, reached: 0.6 } },
    });
  });

  test.each([
    ['listens to the signal', true],
    ['does not listen', false],
  ])(
    'a hung agent that %s is interrupted when its turn takes too long, and what it said is kept',
    async (_, listens) => {
      const turns = [hangingTurn([says('wait')], listens)];
      expect(await held({ user: lines('a'), turns, limits: { turnTimeoutMs: 15 } })).toMatchObject({
        roles: 'u a',
        end: undefined,
        latency: [],
        error: { stage: 'target', kind: 'timeout', limit: { kind: 'timeout', ceiling: 15 } },
      });
    },
  );

  test('an agent that sends something from time to time is not idle', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const talkative: TurnScript = async function* () {
      for (let i = 0; i < 4; i++) {
        await vi.advanceTimersByTimeAsync(15);
        yield says('still here');
      }
      return {};
    };
    expect(await held({ user: lines('a'), turns: [talkative], limits: { idleTimeoutMs: 40 } })).toMatchObject(
      {
        end: { by: 'script' },
      },
    );
    vi.useRealTimers();
    expect(
      await held({ user: lines('a'), turns: [hangingTurn()], limits: { idleTimeoutMs: 10 } }),
    ).toMatchObject({
      error: { kind: 'idle-timeout' },
    });
  });

  test('an abort from outside ends it with that reason', async () => {
    const reason = new Error('the run was stopped');
    const { error } = await held({ user: lines('a'), turns: [hangingTurn([], false)] }, (watch) =>
      watch.abort(reason),
    );
    expect(error).toBe(reason);
  });
});
