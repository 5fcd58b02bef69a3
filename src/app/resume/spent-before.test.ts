import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import type { Fact, RunEvent } from '../../core/run.ts';
import { openLedger } from '../../engine/ledger.ts';
import { spentBefore, type SpentSource } from './spent-before.ts';
import { tellingLedger } from '../running/telling-ledger.ts';

const usage = (costUsd?: number): Fact => ({
  type: 'transcript-entry',
  entry: {
    type: 'usage',
    id: 'e1',
    at: '',
    turn: 1,
    ...(costUsd === undefined ? { inputTokens: 10, outputTokens: 10, totalTokens: 20 } : { costUsd }),
  },
});
const ended: Fact = { type: 'attempt-end', durationMs: 1 };
const judged: Fact = { type: 'model-usage', role: 'judge', costUsd: 0.25 };

const eventsOf = (target: string, facts: readonly Fact[]): readonly RunEvent[] =>
  facts.map((fact, i) => ({ sequence: i + 1, at: '', trial: `s/c/${target}/r1`, attempt: 1, fact }));

const settings: Readonly<Record<string, ReturnType<SpentSource['settingsOf']>>> = {
  agent: { ceilingUsd: 2 },
  model: { price: { input: 0, output: 1e5 } },
};

function spent(events: readonly RunEvent[], manifest: SpentSource['manifest'] = {}): number {
  const before = spentBefore({ manifest, settingsOf: (target) => settings[target] });
  for (const event of events) before.add(event);
  return before.usd();
}

test('what agents and judges told is added up, tokens by the price of the target', () => {
  expect(spent(eventsOf('agent', [usage(0.5), judged, ended]))).toBe(0.75);
  expect(spent(eventsOf('model', [usage(), usage(), ended]))).toBe(2);
});

test('an agent that told nothing, failed or never ended counts with its ceiling', () => {
  const said: Fact = {
    type: 'transcript-entry',
    entry: { type: 'message', role: 'user', parts: [], id: 'e1', at: '', turn: 1 },
  };
  const error = { stage: 'target', kind: 'runner-crash', code: 'runner-crash', message: 'exit 1' } as const;
  expect(spent(eventsOf('agent', [said, ended]))).toBe(2);
  expect(spent(eventsOf('agent', [usage(0.5), { ...ended, error }]))).toBe(2);
  expect(spent(eventsOf('agent', [usage(3)]))).toBe(3);
  expect(spent(eventsOf('agent', [{ type: 'attempt-start' }]))).toBe(0);
});

test('a free target costs nothing, even if it reports a cost', () => {
  expect(spent(eventsOf('replay', [usage(5), ended]))).toBe(0);
});

test('what a closed run says it spent holds, and only later events are added to it', () => {
  const events = eventsOf('agent', [usage(0.5), usage(0.25)]);
  expect(spent(events, { spent: { usd: 1 } })).toBe(1);
  expect(spent(events.slice(0, 1), { spent: { usd: 1, upTo: 1 } })).toBe(1);
  expect(spent(eventsOf('model', [usage(), usage()]), { spent: { usd: 1, upTo: 1 } })).toBe(2);
});

test('unknown costs are reported: attempts without an end, and calls without a cost', () => {
  const unknown: Fact = { type: 'model-usage', role: 'judge', costUsd: null };
  const uncounted = (facts: readonly Fact[], manifest: SpentSource['manifest'] = {}) => {
    const before = spentBefore({ manifest, settingsOf: () => undefined });
    for (const event of eventsOf('model', facts)) before.add(event);
    return before.uncounted();
  };
  const begun: Fact = { type: 'attempt-start' };
  expect(uncounted([begun, usage(), judged])).toBe(
    'For 1 killed attempt, only costs reported before the kill are counted.\n',
  );
  expect(uncounted([begun, unknown, ended])).toBe('The cost of 1 call is unknown and not counted.\n');
  expect(uncounted([begun, judged, ended])).toBe('');
  expect(uncounted([begun, unknown], { spent: { usd: 1 } })).toBe('');
});

test('the last word on the money of the run holds, with all that was set aside then', () => {
  const told = (spentUsd: number, reservedUsd: number): Fact => ({
    type: 'run-state',
    state: 'running',
    money: { spentUsd, reservedUsd },
  });
  const before = (facts: readonly Fact[], manifest: SpentSource['manifest'] = {}) => {
    const counted = spentBefore({ manifest, settingsOf: (target) => settings[target] });
    for (const event of eventsOf('agent', facts)) counted.add(event);
    return [counted.usd(), counted.uncounted()];
  };
  const begun: Fact = { type: 'attempt-start' };
  expect(before([told(0, 0.5), begun, judged, told(0.25, 0.1)])).toEqual([
    0.35,
    'When the run was killed, $0.1 were reserved for running calls; the whole amount counts as spent, because the actual cost is unknown.\n',
  ]);
  expect(before([told(0, 0.5), begun, judged, ended, told(0.25, 0)])).toEqual([0.25, '']);
  // An agent whose ceiling is 2 has reported 3 while a judge was running, and then ended.
  expect(before([told(0, 2), told(0, 2.5), told(0, 3.5), usage(3)])[0]).toBe(3.5);
  expect(before([told(0, 2), told(0, 3), usage(3), told(3, 0), judged, told(3.25, 0)])[0]).toBe(3.25);
  // An agent that has ended is not counted with its ceiling, although its attempt continues.
  expect(before([told(0, 2), usage(0.5), told(0.5, 0)])[0]).toBe(0.5);
  expect(before([told(0, 0.5)], { spent: { usd: 1, upTo: 1 } })).toEqual([1, '']);
});

/** Agents that may pass their ceilings, and judges that may not, each step of each at a time of its own. */
const work = fc.record({
  agents: fc.array(
    fc.record({
      tells: fc.array(fc.integer({ min: 0, max: 24 }), { maxLength: 3 }),
      breaksOff: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
  judges: fc.array(
    fc.record({ worst: fc.integer({ min: 0, max: 16 }), share: fc.integer({ min: 0, max: 4 }) }),
    { maxLength: 4 },
  ),
  order: fc.infiniteStream(fc.nat()),
});

test('wherever the log of a bounded run ends, what may be billed is counted: nothing less, and nothing twice', async () => {
  await fc.assert(
    fc.asyncProperty(work, async ({ agents, judges, order }) => {
      const events: RunEvent[] = [];
      const billable: number[] = [];
      const owed = new Map<object, number>();
      const write = (fact: Fact, trial = ''): void => {
        events.push({ sequence: events.length + 1, at: '', trial, attempt: 1, fact });
        billable.push([...owed.values()].reduce((sum, usd) => sum + usd, 0));
      };
      const tell = (money: object) => write({ type: 'run-state', state: 'running', money } as Fact);
      const ledger = tellingLedger(openLedger(1e6), { first: async (money) => tell(money), soon: tell });

      async function* agent({ tells, breaksOff }: (typeof agents)[number], index: number) {
        const trial = `s/c${index}/agent/r1`;
        const me = {};
        owed.set(me, 2);
        const reserved = await ledger.reserve({ usd: 2, what: 'a trial' }, signal);
        let toldUsd = 0;
        for (const eighths of tells) {
          yield;
          toldUsd += eighths / 8;
          owed.set(me, Math.max(2, toldUsd));
          reserved.cover(toldUsd);
          write(usage(eighths / 8), trial);
        }
        yield;
        const isKnown = toldUsd > 0 && !breaksOff;
        if (isKnown) owed.set(me, toldUsd);
        reserved.settle(isKnown ? toldUsd : null);
        yield;
        write(ended, trial);
      }
      async function* judge({ worst, share }: (typeof judges)[number], index: number) {
        const me = {};
        owed.set(me, worst / 8);
        const reserved = await ledger.reserve({ usd: worst / 8, what: 'an answer' }, signal);
        yield;
        const costUsd = (worst * share) / 32;
        owed.set(me, costUsd);
        reserved.settle(costUsd);
        yield;
        write({ ...judged, costUsd } as Fact, `s/c${index}/agent/r1`);
      }
      const left = [...agents.map(agent), ...judges.map(judge)];
      for (const pick of order) {
        const next = left[pick % left.length];
        if (next === undefined) break;
        if ((await next.next()).done === true) left.splice(left.indexOf(next), 1);
      }
      const counted = events.map((_, i) => spent(events.slice(0, i + 1)));
      const isBounded = events.map((_, i) =>
        events.slice(0, i + 1).some(({ fact }) => fact.type === 'run-state'),
      );
      expect(counted.filter((_, i) => isBounded[i])).toEqual(billable.filter((_, i) => isBounded[i]));
    }),
  );
});

const { signal } = new AbortController();
