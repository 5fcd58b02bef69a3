import { describe, expect, test } from 'vitest';

import { given } from '../lib/given.ts';
import type { JsonObject } from '../lib/json.ts';
import { findingOf, problemsOf, type SubjectSketch } from './subject.fixture.ts';
import { toolTrajectory } from './tool-trajectory.ts';

interface Made {
  readonly tool: string;
  readonly args?: JsonObject;
  readonly ms?: number;
  readonly unfinished?: true;
}

/** Calls by name (`a b a`), or with arguments and durations. */
function calls(made: string | readonly Made[]): SubjectSketch {
  const list: readonly Made[] =
    typeof made === 'string'
      ? made
          .split(' ')
          .filter(Boolean)
          .map((tool) => ({ tool }))
      : made;
  return {
    entries: list.flatMap(({ tool, args, ms, unfinished }, index) => {
      const call = { type: 'tool-call' as const, callId: `c${index}`, name: tool, input: args ?? {} };
      const result = { type: 'tool-result' as const, callId: `c${index}`, output: 'ok' };
      return unfinished === true ? [call] : [call, ms === undefined ? result : { ...result, durationMs: ms }];
    }),
  };
}

function expected(tools: string): readonly { tool: string }[] {
  return tools
    .split(' ')
    .filter(Boolean)
    .map((tool) => ({ tool }));
}

describe('tool_trajectory', () => {
  test.each([
    ['in_order', 'a b c', 'a b c', 1],
    ['in_order', 'a b c', 'a x b y c', 1],
    ['in_order', 'a b c', 'c b a', 1 / 3],
    ['in_order', 'a b c', 'b c a', 2 / 3],
    ['in_order', 'a b', '', 0],
    ['exact', 'a b', 'a b', 1],
    ['exact', 'a b', 'a b c d', 2 / 4],
    ['exact', 'a b c', 'a', 1 / 3],
    ['exact', 'a b', 'b a', 0],
    ['exact', '', '', 1],
    ['exact', '', 'a', 0],
    ['superset', 'a b', 'b x a', 1],
    ['superset', 'a a', 'a', 1 / 2],
    ['superset', 'a b', 'a', 1 / 2],
    ['subset', 'a b c', 'c a', 1],
    ['subset', 'a', 'a b', 1 / 2],
    ['subset', 'a', 'a a', 1 / 2],
    ['subset', 'a', '', 1],
    ['subset', '', 'a', 0],
    ['any_order', 'a b', 'b a x', 1],
    ['any_order', 'a b', 'b', 1 / 2],
  ])('%s of %j against %j scores %d', async (mode, wanted, made, score) => {
    const finding = await findingOf(toolTrajectory, { mode, expected: expected(wanted) }, calls(made));
    expect(finding.score).toBeCloseTo(score, 9);
  });

  test('any_order is the share of minimums met', async () => {
    const config = { mode: 'any_order', minimums: { search: 2, read: 1, pay: 1 } };
    expect((await findingOf(toolTrajectory, config, calls('search read search pay'))).score).toBe(1);
    expect(await findingOf(toolTrajectory, config, calls('search read'))).toEqual({
      score: 0.333333333,
      reason:
        '1 of 3 (any_order): search called 1 times, at least 2; pay called 0 times, at least 1. ' +
        'Observed tool calls: search {} | read {}',
    });
  });

  test('minimums count in every mode', async () => {
    const config = { mode: 'in_order', expected: expected('a b'), minimums: { a: 2 } };
    expect((await findingOf(toolTrajectory, config, calls('a b'))).score).toBe(0.666666667);
    expect((await findingOf(toolTrajectory, config, calls('a a b'))).score).toBe(1);
  });

  const made: readonly Made[] = [{ tool: 'pay', args: { amount: 5, note: { x: 1 } } }];

  test.each([
    [undefined, { amount: 5 }, 1],
    [undefined, { amount: 5, note: { x: 1 } }, 1],
    [undefined, { note: {} }, 0],
    [undefined, { amount: '5' }, 0],
    ['superset', { amount: 5 }, 1],
    ['exact', { amount: 5 }, 0],
    ['exact', { note: { x: 1 }, amount: 5 }, 1],
    ['subset', { amount: 5, note: { x: 1 }, more: true }, 1],
    ['subset', { amount: 5 }, 0],
    ['ignore', { amount: 6 }, 1],
    [['amount'], { amount: 5, note: 'other' }, 1],
    [['amount'], { amount: 6, note: { x: 1 } }, 0],
    [['note.x'], { note: { x: 1 } }, 1],
  ])('args_match %j of %j scores %d', async (args_match, args, score) => {
    const config = {
      mode: 'exact',
      expected: [{ tool: 'pay', args }],
      ...given({ args_match }),
    };
    expect((await findingOf(toolTrajectory, config, calls(made))).score).toBe(score);
  });

  test('in_order does not use up an expected call on a call with wrong arguments', async () => {
    const config = { mode: 'in_order', expected: [{ tool: 'a', args: { n: 2 } }, { tool: 'b' }] };
    const actual = calls([{ tool: 'a', args: { n: 1 } }, { tool: 'a', args: { n: 2 } }, { tool: 'b' }]);
    expect((await findingOf(toolTrajectory, config, actual)).score).toBe(1);
  });

  test('superset pairs each call once and optimally', async () => {
    const config = { mode: 'superset', expected: [{ tool: 'a' }, { tool: 'a', args: { n: 1 } }] };
    const actual = calls([
      { tool: 'a', args: { n: 1 } },
      { tool: 'a', args: { n: 2 } },
    ]);
    expect((await findingOf(toolTrajectory, config, actual)).score).toBe(1);
  });

  test('each duration is one more thing to meet', async () => {
    const config = { mode: 'in_order', expected: [{ tool: 'a', max_duration_ms: 100 }, { tool: 'b' }] };
    expect(
      (await findingOf(toolTrajectory, config, calls([{ tool: 'a', ms: 100 }, { tool: 'b' }]))).score,
    ).toBe(1);
    expect(await findingOf(toolTrajectory, config, calls([{ tool: 'a', ms: 101 }, { tool: 'b' }]))).toEqual({
      score: 0.666666667,
      reason: '2 of 3 (in_order): a took 101 ms, at most 100 ms. Observed tool calls: a {} | b {}',
    });
    expect((await findingOf(toolTrajectory, config, calls('b'))).score).toBe(0.333333333);
    const unfinished = await findingOf(
      toolTrajectory,
      config,
      calls([{ tool: 'a', unfinished: true }, { tool: 'b' }]),
    );
    expect([unfinished.score, unfinished.reason]).toEqual([
      0.666666667,
      '2 of 3 (in_order): a did not end, at most 100 ms. Observed tool calls: a {} | b {}',
    ]);
  });

  test('pairs the quick one of two like calls with the one that must be quick', async () => {
    const config = { mode: 'superset', expected: [{ tool: 'a' }, { tool: 'a', max_duration_ms: 10 }] };
    expect(
      (
        await findingOf(
          toolTrajectory,
          config,
          calls([
            { tool: 'a', ms: 5 },
            { tool: 'a', ms: 50 },
          ]),
        )
      ).score,
    ).toBe(1);
  });

  test('an unmeasured duration is computed from the times of the entries, or is an error', async () => {
    const config = { mode: 'exact', expected: [{ tool: 'a', max_duration_ms: 100 }] };
    const [call, result] = calls('a').entries ?? [];
    if (call === undefined || result === undefined) throw new Error('expected two entries');
    const later = { ...result, at: '2026-01-01T00:00:00.250Z' };
    expect((await findingOf(toolTrajectory, config, { entries: [call, later] })).score).toBe(0.5);
    await expect(findingOf(toolTrajectory, config, calls('a'))).rejects.toThrow(
      /the duration of the call of a is unknown/,
    );
  });

  test('a call that a subset does not make is not slow', async () => {
    const config = { mode: 'subset', expected: [{ tool: 'a' }, { tool: 'b', max_duration_ms: 1 }] };
    expect((await findingOf(toolTrajectory, config, calls('a'))).score).toBe(1);
  });

  test('reports missing and unexpected calls', async () => {
    const config = { mode: 'exact', expected: [{ tool: 'a' }, { tool: 'b', args: { n: 1 } }] };
    expect((await findingOf(toolTrajectory, config, calls('a c'))).reason).toBe(
      '1 of 2 (exact): missing #2 b {"n":1}; not expected #2 c {}. Observed tool calls: a {} | c {}',
    );
    expect((await findingOf(toolTrajectory, config, calls(''))).reason).toBe(
      '0 of 2 (exact): missing #1 a | #2 b {"n":1}. Observed tool calls: (none)',
    );
  });

  test('refuses a configuration that would check nothing', () => {
    expect(problemsOf(toolTrajectory, { mode: 'any_order' })).toEqual([
      ': mode any_order needs `minimums` or `expected`: nothing would be checked',
    ]);
    expect(problemsOf(toolTrajectory, { mode: 'in_order', expected: [] })).toEqual([
      'expected: mode in_order needs `expected`: nothing would be checked',
    ]);
    expect(problemsOf(toolTrajectory, { mode: 'exact', expected: [], args_match: 'some' })).toEqual([
      'args_match: expected exact, superset, subset, ignore or a list of argument names',
    ]);
  });
});
