import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';

import type { CodeCase } from '../core/code-suite.ts';
import type { Grade } from '../core/grade.ts';
import { assert } from './assert.ts';
import { grade } from './grade.ts';
import { messageFrom, ran } from './report.fixture.ts';
import { runHook, type HookOutcome } from './run-hook.ts';

async function outcome(hook: CodeCase['assert'], more: Partial<Parameters<typeof runHook>[0]> = {}) {
  const { signal } = new AbortController();
  return await runHook({ testCase: { assert: hook }, report: ran('ls'), timeoutMs: 5000, signal, ...more });
}

function told({ kind, error, failureClass, softFailures }: HookOutcome) {
  return {
    kind,
    message: error?.message,
    class: failureClass,
    soft: softFailures.map(({ message }) => message),
  };
}

describe('the hook of a case', () => {
  test('passes when it returns', async () => {
    expect(told(await outcome(() => {}))).toEqual({
      kind: 'passed',
      message: undefined,
      class: undefined,
      soft: [],
    });
  });

  test('fails by an assertion, also of another library', async () => {
    expect(told(await outcome(() => assert.fail('no')))).toMatchObject({
      kind: 'failed',
      message: 'no',
    });
    const foreign = Object.assign(new Error('other'), { name: 'AssertionError' });
    expect(await outcome(() => Promise.reject(foreign))).toMatchObject({ kind: 'failed', error: foreign });
  });

  test('fails by an assertion even if the suite changed the format of stacks', async () => {
    const before = Error.prepareStackTrace;
    Error.prepareStackTrace = (_, frames) => frames;
    try {
      const hard = await outcome((report) => assert.output.includes(report, 'x', { message: 'Say x' }));
      expect(told(hard)).toMatchObject({
        kind: 'failed',
        message: expect.stringMatching(/^Say x\. Expected/),
      });
      const soft = await outcome(() => assert.soft.ok(false, 'one'));
      expect(told(soft)).toMatchObject({ kind: 'failed', message: '1 assertion failure:\n1. one' });
      expect((await outcome(() => JSON.parse('{'))).kind).toBe('crashed');
    } finally {
      Error.prepareStackTrace = before;
    }
  });

  test('fails by assertions that cannot be added to', async () => {
    const frozen = () => Object.freeze(new assert.AssertionError({ message: 'no' }));
    const hard = await outcome(() => {
      throw frozen();
    });
    expect(told(hard)).toMatchObject({ kind: 'failed', message: 'no' });
    const soft = await outcome(() => void assert.soft.ok(false, frozen()));
    expect(told(soft)).toMatchObject({ kind: 'failed', message: '1 assertion failure:\n1. no' });
  });

  test('fails by assertions whose message is not a text', async () => {
    const strange = () => Object.assign(new assert.AssertionError({ message: 'no' }), { message: 42 });
    const soft = await outcome(() => void assert.soft.ok(false, strange() as unknown as Error));
    expect(told(soft)).toMatchObject({
      kind: 'failed',
      message: '1 assertion failure:\n1. AssertionError [ERR_ASSERTION]: 42',
    });
  });

  test('collects soft failures into one error, in order, the hard one last', async () => {
    const ended = await outcome(async (report) => {
      assert.soft.match('x', /y/, 'one');
      assert.soft(0, 'zero');
      void assert.soft.rejects(() => Promise.resolve(), 'no rejection');
      assert.soft.commands.includes(report, 'pnpm');
      assert.fail('hard');
    });
    expect(ended.error).toMatchObject({
      name: 'AssertionError',
      operator: 'softAssertions',
      message:
        '5 assertion failures:\n1. one\n2. zero\n3. Expected a command matching "pnpm". Observed commands: ls\n' +
        '4. Missing expected rejection: no rejection\n5. hard',
    });
    const strict = createRequire(import.meta.url)('node:assert').strict as Record<string, unknown>;
    expect(strict['skills']).toBe(undefined);
  });

  test('crashes by anything else, and keeps the soft failures', async () => {
    const ended = await outcome(() => {
      assert.soft.ok(false, 'soft');
      (null as unknown as { x: () => void }).x();
    });
    expect(told(ended)).toEqual({
      kind: 'crashed',
      message: "TypeError: Cannot read properties of null (reading 'x')\nSoft failures before it:\n1. soft",
      class: undefined,
      soft: ['soft'],
    });
    expect(
      told(
        await outcome(() => {
          throw undefined;
        }),
      ),
    ).toMatchObject({ kind: 'crashed', message: 'undefined was thrown' });
  });

  test('crashes when it never ends', async () => {
    expect(told(await outcome(() => new Promise(() => {}), { timeoutMs: 20 }))).toMatchObject({
      kind: 'crashed',
      message: expect.stringContaining(
        'the assert hook timed out after 20 ms; raise `run.assertTimeoutMs`, or check what it waits for',
      ) as string,
    });
  });

  test('crashes when it blocks longer than its time limit, even if it then throws', async () => {
    const busy = () => {
      const end = performance.now() + 30;
      while (performance.now() < end);
    };
    const ended = await Promise.all([
      outcome(busy, { timeoutMs: 20 }),
      outcome(
        () => {
          busy();
          assert.fail('x');
        },
        { timeoutMs: 20 },
      ),
    ]);
    const error = {
      message:
        'the assert hook timed out after 20 ms; raise `run.assertTimeoutMs`, or check what it waits for',
    };
    expect(ended).toMatchObject([
      { kind: 'crashed', error },
      { kind: 'crashed', error },
    ]);
  });

  describe('among concurrent hooks only the blocking one times out', () => {
    const busy = (ms: number) => {
      const end = performance.now() + ms;
      while (performance.now() < end);
    };
    const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const kinds = async (...hooks: readonly CodeCase['assert'][]) => {
      const ended = await Promise.all(hooks.map((hook) => outcome(hook, { timeoutMs: 500 })));
      return ended.map(({ kind }) => kind);
    };
    const waits = async () => void (await later(20));

    test('from its beginning', async () => {
      expect(await kinds(waits, () => busy(700), waits)).toEqual(['passed', 'crashed', 'passed']);
    });

    test('after it has waited', async () => {
      const blocks = async () => {
        await later(5);
        busy(700);
      };
      expect(await kinds(waits, blocks, waits)).toEqual(['passed', 'crashed', 'passed']);
    });

    test('and one that never ends still has its own time limit', async () => {
      const never = () => new Promise<void>(() => {});
      expect(await kinds(never, () => busy(700), waits)).toEqual(['crashed', 'crashed', 'passed']);
    });
  });

  test('fails by work that it started and did not await', async () => {
    const lost = await Promise.all([
      outcome(() => void Promise.reject(new RangeError('lost'))),
      outcome(() => void assert.rejects(Promise.resolve(), 'no rejection')),
      outcome(() => {}),
    ]);
    expect(lost.map(({ kind }) => kind)).toEqual(['crashed', 'failed', 'passed']);
  });

  test('waits for assertions on rejections that are not awaited', async () => {
    const later = async <T>(value: T): Promise<T> => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return value;
    };
    const missing = await outcome(() => void assert.rejects(later(1), 'no rejection'));
    expect(told(missing)).toMatchObject({
      kind: 'failed',
      message: 'Missing expected rejection: no rejection',
    });
    const thrown = async () => Promise.reject(new Error(await later('x')));
    expect(await outcome(() => void assert.doesNotReject(thrown()))).toMatchObject({ kind: 'failed' });
    expect(await outcome(() => void assert.rejects(thrown()))).toMatchObject({ kind: 'passed' });
  });

  test('a rejection after its end is reported and ends nothing', async () => {
    let goOn = () => {};
    const over = new Promise<void>((resolve) => (goOn = resolve));
    const late: unknown[] = [];
    const hook = () => void over.then(() => assert.fail('late'));
    const { kind } = await outcome(hook, { onLate: (reason) => void late.push(reason) });
    goOn();
    await expect.poll(() => late).toMatchObject([{ name: 'AssertionError', message: 'late' }]);
    expect(kind).toBe('passed');
  });

  test('of parallel hooks each has its own failures', async () => {
    const hook = (name: string) => async () => {
      await Promise.resolve();
      assert.soft.fail(name);
    };
    const [a, b] = await Promise.all([outcome(hook('a')), outcome(hook('b'))]);
    expect([a.softFailures.length, b.error?.message]).toEqual([1, '1 assertion failure:\n1. b']);
  });

  test('sees copies of the report', async () => {
    const report = ran('ls');
    await outcome(
      (given, ctx) => {
        given.events.length = 0;
        ctx.getCommands().push('x');
      },
      { report },
    );
    expect(report.events.length).toBe(1);
  });
});

describe('classes', () => {
  test('an inner class stays, a rejection is classified, soft failures get it', async () => {
    const slow = await outcome(() => assert.classify('slow', async () => assert.fail('x')));
    expect(slow.failureClass).toEqual({ id: 'slow' });
    const nested = await outcome(() =>
      assert.classify('outer', () =>
        assert.classify({ id: 'inner', label: 'Inner' }, () => assert.fail('x')),
      ),
    );
    expect(nested.failureClass).toEqual({ id: 'inner', label: 'Inner' });
    const soft = await outcome(() => {
      assert.soft.fail('plain');
      assert.equal(
        assert.classify('one', () => {
          assert.soft.fail('x');
          return 7;
        }),
        7,
      );
    });
    expect(soft.failureClass).toEqual({ id: 'one' });
    const crash = await outcome(() =>
      assert.classify('odd', () => {
        throw new RangeError('x');
      }),
    );
    expect(told(crash)).toMatchObject({ kind: 'crashed', class: { id: 'odd' } });
  });

  test('outside a trial soft assertions fail at once', () => {
    expect(messageFrom(() => assert.soft.fail('now'))).toBe('now');
    expect(messageFrom(() => assert.classify(3 as never, () => {}))).toBe(
      'TypeError: expected the id of a failure class or { id, label }, got 3',
    );
  });
});

describe('grade', () => {
  const given = (score: number | null): Grade => ({
    name: 'contains',
    type: 'contains',
    score,
    passed: score === 1,
    weight: 1,
    reason: 'why',
    durationMs: 0,
  });

  test('a missed grade fails with its class, and every grade is kept', async () => {
    const ended = await outcome((report) => grade(report, { type: 'contains', value: 'x' }).then(() => {}), {
      grade: () => Promise.resolve(given(0)),
    });
    expect([told(ended), ended.grades]).toEqual([
      { kind: 'failed', message: 'contains: why', class: { id: 'grade', label: 'Grade' }, soft: [] },
      [given(0)],
    ]);
  });

  test('a grader that could not decide leaves the trial ungraded, caught or not', async () => {
    const ended = await outcome(
      async (report) => {
        await grade(report, { type: 'contains' }).catch(() => {});
      },
      { grade: () => Promise.resolve(given(null)) },
    );
    expect(told(ended)).toMatchObject({ kind: 'ungraded', message: 'contains: why' });
  });
});
