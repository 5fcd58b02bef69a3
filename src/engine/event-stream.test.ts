import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { BudgetSpent } from '../core/errors.ts';
import type { EventLog, Sink } from '../core/log.ts';
import type { Emitted, RunEvent } from '../core/run.ts';
import { openEventStream, type EventStreamOptions } from './event-stream.ts';
import { until } from './fixtures/trial-context.ts';

const at = '2026-01-01T00:00:00.000Z';
const note = (text: string): Emitted => ({ at, fact: { type: 'note', text } });

interface Memory extends EventLog {
  readonly events: RunEvent[];
  /** How many facts each write had. */
  readonly writes: number[];
}

/** A log in memory; `before` may delay a write or make it fail. */
function memoryLog(before: (write: number) => void | Promise<void> = () => {}): Memory {
  const events: RunEvent[] = [];
  const writes: number[] = [];
  return {
    events,
    writes,
    async append(facts) {
      await before(writes.push(facts.length));
      const kept = facts.map((emitted, index) => ({ sequence: events.length + index + 1, ...emitted }));
      events.push(...kept);
      return kept;
    },
    async *read() {
      yield* events;
    },
  };
}

const textOf = ({ fact }: RunEvent): string => {
  if (fact.type === 'note') return fact.text;
  return fact.type === 'sink-error' ? `${fact.sink} lost: ${fact.message}` : fact.type;
};

/** A sink that keeps what it is shown, in `shown`. */
function sinkOf(shown: string[], overrides: Partial<Sink> = {}): Sink {
  return { name: 'sink', write: (event) => void shown.push(textOf(event)), ...overrides };
}

function streamOf(
  log: EventLog,
  sinks: readonly Sink[] = [],
  more: Pick<EventStreamOptions, 'hasTimeToSpare'> = {},
) {
  const failures: unknown[] = [];
  const stream = openEventStream({
    ...more,
    log,
    sinks,
    now: () => Date.parse(at),
    onFailure: (error) => failures.push(error),
  });
  return { stream, failures };
}

describe('facts', () => {
  test('are written in the order in which they were told, and shown after they are written', async () => {
    const log = memoryLog();
    const unwritten: string[] = [];
    const shown: string[] = [];
    const sink = sinkOf(shown, {
      write: (event) => {
        if (log.events[event.sequence - 1] !== event) unwritten.push(textOf(event));
        shown.push(`${event.sequence} ${textOf(event)}`);
      },
    });
    const { stream } = streamOf(log, [sink]);
    stream.emit(note('a'));
    stream.emit(note('b'));
    await stream.settle(note('c'));
    stream.emit(note('d'));
    await stream.flush();
    expect({ shown, unwritten }).toEqual({ shown: ['1 a', '2 b', '3 c', '4 d'], unwritten: [] });
    expect(log.events.map(textOf)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('keep their order when a write takes longer than the next one', async () => {
    let release: () => void = () => {};
    const log = memoryLog((write) =>
      write === 1 ? new Promise<void>((resolve) => (release = resolve)) : undefined,
    );
    const shown: string[] = [];
    const { stream } = streamOf(log, [sinkOf(shown)]);
    stream.emit(note('a'));
    const first = stream.flush();
    const second = stream.settle(note('b'));
    await until(() => log.writes.length === 1);
    stream.emit(note('c'));
    release();
    await Promise.all([first, second]);
    await stream.flush();
    expect({ shown, sequence: log.events.map(({ sequence }) => sequence) }).toEqual({
      shown: ['a', 'b', 'c'],
      sequence: [1, 2, 3],
    });
  });

  test('are written within 50 ms, many together', async () => {
    const log = memoryLog();
    const { stream } = streamOf(log);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    for (let i = 0; i < 100; i++) stream.emit(note(`${i}`));
    expect(log.writes).toEqual([]);
    await vi.advanceTimersByTimeAsync(50);
    expect(log.writes).toEqual([100]);
  });

  test('that settle in the same round share a write; each resolves when it is written and shown', async () => {
    const log = memoryLog();
    const shown: string[] = [];
    const { stream } = streamOf(log, [sinkOf(shown)]);
    await Promise.all(
      ['a', 'b', 'c'].map((text) => stream.settle(note(text)).then(() => expect(shown).toContain(text))),
    );
    expect(log.writes).toEqual([3]);
  });

  test('that settle while there is time to spare are written one by one, in order', async () => {
    const log = memoryLog();
    const { stream } = streamOf(log, [], { hasTimeToSpare: () => log.writes.length < 2 });
    stream.emit(note('0'));
    await Promise.all(['a', 'b', 'c', 'd'].map((text) => stream.settle(note(text))));
    expect(log.events.map(textOf)).toEqual(['0', 'a', 'b', 'c', 'd']);
    expect(log.writes[0]).toBe(2);
  });

  test('that settle do not wait for the batch', async () => {
    const log = memoryLog();
    const { stream } = streamOf(log);
    stream.emit(note('a'));
    await stream.settle(note('b'));
    expect(log.events.map(textOf)).toEqual(['a', 'b']);
  });
});

test('a fact that reserves money is written alone, and the stream continues if it is refused', async () => {
  const log = memoryLog((write) => (write === 2 ? Promise.reject(new BudgetSpent('spent')) : undefined));
  const { stream, failures } = streamOf(log);
  stream.emit(note('a'));
  const refused = stream.setAside(note('b'));
  stream.emit(note('c'));
  await expect(refused).rejects.toThrow('spent');
  await stream.setAside(note('d'));
  await stream.close();
  expect({ written: log.events.map(textOf), tried: log.writes, failures }).toEqual({
    written: ['a', 'c', 'd'],
    tried: [1, 1, 1, 1],
    failures: [],
  });
});

describe('a write that fails', () => {
  const failing = () =>
    memoryLog((write) => (write === 2 ? Promise.reject(new Error('disk full')) : undefined));

  test('is reported once, and later facts are not reported as written', async () => {
    const log = failing();
    const { stream, failures } = streamOf(log);
    await stream.settle(note('a'));
    await expect(stream.settle(note('b'))).rejects.toThrow('disk full');
    await expect(stream.settle(note('c'))).rejects.toThrow('disk full');
    await expect(stream.flush()).rejects.toThrow('disk full');
    await expect(stream.close()).rejects.toThrow('disk full');
    expect(failures).toEqual([new Error('disk full')]);
    expect({ written: log.events.map(textOf), tried: log.writes }).toEqual({ written: ['a'], tried: [1, 1] });
  });

  test('is reported even if no caller waits for the fact', async () => {
    const { stream, failures } = streamOf(failing());
    await stream.settle(note('a'));
    stream.emit(note('b'));
    await until(() => failures.length === 1);
    await expect(stream.flush()).rejects.toThrow('disk full');
  });

  test('shows nothing of what was not written', async () => {
    const shown: string[] = [];
    const { stream } = streamOf(failing(), [sinkOf(shown)]);
    await stream.settle(note('a'));
    await expect(stream.settle(note('b'))).rejects.toThrow('disk full');
    expect(shown).toEqual(['a']);
  });
});

describe('a sink', () => {
  test.each<[string, Partial<Sink>]>([
    [
      'throws',
      {
        write: () => {
          throw new Error('broken');
        },
      },
    ],
    ['rejects', { write: () => Promise.reject(new Error('broken')) }],
    ['throws what is no error', { write: () => Promise.reject('broken') }],
  ])('that %s is dropped and named, and the others see everything', async (_, broken) => {
    const log = memoryLog();
    let asked = 0;
    const bad: Sink = {
      name: 'bad',
      write: (event) => {
        asked += 1;
        return broken.write?.(event);
      },
    };
    const shown: string[] = [];
    const { stream } = streamOf(log, [bad, sinkOf(shown)]);
    await stream.settle(note('a'));
    await stream.settle(note('b'));
    await stream.flush();
    expect({ shown, asked }).toEqual({
      shown: ['a', 'b', 'bad lost: broken'].toSorted(byPlace(shown)),
      asked: 1,
    });
    expect(log.events.map(textOf).toSorted()).toEqual(['a', 'b', 'bad lost: broken']);
  });

  test('that takes its time is shown one event after the other, and all before it is closed', async () => {
    const steps: string[] = [];
    const slow: Sink = {
      name: 'slow',
      write: async (event) => {
        steps.push(`${textOf(event)} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        steps.push(`${textOf(event)} ends`);
      },
      close: () => void steps.push('closed'),
    };
    const { stream } = streamOf(memoryLog(), [slow]);
    await Promise.all([stream.settle(note('a')), stream.settle(note('b'))]);
    await stream.settle(note('c'));
    await stream.close();
    expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends', 'closed']);
  });

  test('whose `write` returns a value is kept', async () => {
    const shown: string[] = [];
    const own: Sink = {
      name: 'own',
      write: ((event: RunEvent) => shown.push(textOf(event))) as unknown as Sink['write'],
    };
    const { stream } = streamOf(memoryLog(), [own]);
    await stream.settle(note('a'));
    await stream.settle(note('b'));
    expect(shown).toEqual(['a', 'b']);
  });

  test('that cannot be closed is named in the log, and those that close later can tell of it', async () => {
    const log = memoryLog();
    const shown: string[] = [];
    const bad: Sink = { name: 'bad', write: () => {}, close: () => Promise.reject(new Error('no space')) };
    const later = sinkOf(shown, { close: () => void shown.push('closed') });
    const { stream, failures } = streamOf(log, [bad, later]);
    await stream.settle(note('a'));
    await stream.close();
    expect({ shown, failures }).toEqual({ shown: ['a', 'bad lost: no space', 'closed'], failures: [] });
    expect(log.events.map(textOf)).toEqual(['a', 'bad lost: no space']);
  });

  test('that is closed is shown nothing more', async () => {
    const shown: string[] = [];
    const first = sinkOf(shown, { close: () => void shown.push('closed') });
    const bad: Sink = { name: 'bad', write: () => {}, close: () => Promise.reject(new Error('no space')) };
    const watching: string[] = [];
    const { stream } = streamOf(memoryLog(), [first, bad, sinkOf(watching)]);
    await stream.close();
    expect({ shown, watching }).toEqual({ shown: ['closed'], watching: ['bad lost: no space'] });
  });

  test('is closed after its writes have settled, and a late failure is still named', async () => {
    const order: string[] = [];
    let settle: (error?: Error) => void = () => {};
    const slow: Sink = {
      name: 'slow',
      write: ({ fact }) =>
        fact.type === 'note'
          ? new Promise(
              (resolve, reject) => (settle = (error) => (error === undefined ? resolve() : reject(error))),
            )
          : undefined,
      close: () => void order.push('closed'),
    };
    const log = memoryLog();
    const { stream } = streamOf(log, [slow]);
    await stream.settle(note('a'));
    const closing = stream.close();
    await new Promise((resolve) => setImmediate(resolve));
    order.push('settled');
    settle();
    await closing;
    expect(order).toEqual(['settled', 'closed']);

    const failing = streamOf(log, [slow]);
    await failing.stream.settle(note('b'));
    const late = failing.stream.close();
    settle(new Error('too late'));
    await late;
    expect(log.events.map(textOf)).toEqual(['a', 'b', 'slow lost: too late']);
  });
});

/** The order of texts as they stand in `shown`. */
function byPlace(shown: readonly string[]): (left: string, right: string) => number {
  return (left, right) => shown.indexOf(left) - shown.indexOf(right);
}
