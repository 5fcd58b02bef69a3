import { expect, test } from 'vitest';

import type { Fact, RunEvent } from '../../core/run.ts';
import { spentBefore, type SpentSource } from './spent-before.ts';

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

test('a target that is free counts nothing, whatever it says', () => {
  expect(spent(eventsOf('replay', [usage(5), ended]))).toBe(0);
});

test('what a closed run says it spent holds, and only later events are added to it', () => {
  const events = eventsOf('agent', [usage(0.5), usage(0.25)]);
  expect(spent(events, { spent: { usd: 1 } })).toBe(1);
  expect(spent(events.slice(0, 1), { spent: { usd: 1, upTo: 1 } })).toBe(1);
  expect(spent(eventsOf('model', [usage(), usage()]), { spent: { usd: 1, upTo: 1 } })).toBe(2);
});

test('what nobody knows is told: attempts that never ended and calls whose cost was not told', () => {
  const unknown: Fact = { type: 'model-usage', role: 'judge', costUsd: null };
  const uncounted = (facts: readonly Fact[], manifest: SpentSource['manifest'] = {}) => {
    const before = spentBefore({ manifest, settingsOf: () => undefined });
    for (const event of eventsOf('model', facts)) before.add(event);
    return before.uncounted();
  };
  const begun: Fact = { type: 'attempt-start' };
  expect(uncounted([begun, usage(), judged])).toBe(
    'What 1 attempt that was killed had asked for counts only as far as it was told.\n',
  );
  expect(uncounted([begun, unknown, ended])).toBe('What 1 call cost is unknown and not counted.\n');
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
    'When it was killed, $0.1 were set aside for what was under way; as nobody knows what of it was spent, all of it counts.\n',
  ]);
  expect(before([told(0, 0.5), begun, judged, ended, told(0.25, 0)])).toEqual([0.25, '']);
  expect(before([told(0, 0.5), usage(3), ended])[0]).toBe(3);
  expect(before([told(0, 0.5)], { spent: { usd: 1, upTo: 1 } })).toEqual([1, '']);
});
