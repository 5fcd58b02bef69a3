import { describe, expect, test } from 'vitest';

import { usageOf } from '../core/usage.ts';
import { cost } from './cost.ts';
import { executionMetrics } from './execution-metrics.ts';
import { latency } from './latency.ts';
import { findingOf, problemsOf, type SubjectSketch } from './subject.fixture.ts';
import { tokenUsage } from './token-usage.ts';

const subject: SubjectSketch = {
  measures: { durationMs: 2500, turns: 2, steps: 4, usage: usageOf(100, 50), costUsd: 0.03 },
  entries: [
    { type: 'tool-call', callId: '1', name: 'a', input: {} },
    { type: 'tool-result', callId: '1', output: 'ok' },
  ],
};

describe('latency', () => {
  test('holds up to its threshold', async () => {
    expect(await findingOf(latency, { threshold: 2500 }, subject)).toEqual({
      score: 1,
      reason: 'duration 2500 ms, at most 2500 ms',
    });
    expect((await findingOf(latency, { threshold: 2499 }, subject)).score).toBe(0);
  });
});

describe('cost', () => {
  test('holds up to its budget, free of what binary fractions lose', async () => {
    const spent = { measures: { costUsd: 0.1 + 0.2 } };
    expect(await findingOf(cost, { budget: 0.3 }, spent)).toEqual({
      score: 1,
      reason: 'cost 0.3 USD, at most 0.3 USD',
    });
    expect((await findingOf(cost, { budget: 0.29 }, spent)).score).toBe(0);
    expect((await findingOf(cost, { budget: 0 }, { measures: { costUsd: 0 } })).score).toBe(1);
  });

  test('an unknown cost is an error that asks for a price, never 0', async () => {
    await expect(findingOf(cost, { budget: 1 }, {})).rejects.toThrow(
      'the cost of the session is unknown; configure `price` for the target agent',
    );
  });
});

describe('token_usage', () => {
  test.each([
    [{ max_total: 150 }, 1, 'total tokens 150, at most 150'],
    [{ max_total: 149 }, 0, 'total tokens 150, at most 149'],
    [{ max_input: 100, max_output: 49 }, 0, 'output tokens 50, at most 49'],
    [{ max_input: 100, max_output: 50 }, 1, 'input tokens 100, at most 100; output tokens 50, at most 50'],
  ])('%j scores %d', async (config, score, reason) => {
    expect(await findingOf(tokenUsage, config, subject)).toEqual({ score, reason });
  });

  test('unknown tokens are an error', async () => {
    await expect(findingOf(tokenUsage, { max_total: 1 }, {})).rejects.toThrow(
      /the target agent reported no token usage; use a target that reports it/,
    );
  });

  test('refuses an entry without a limit', () => {
    expect(problemsOf(tokenUsage, {})).toEqual([
      ': give at least one of `max_total`, `max_input`, `max_output`',
    ]);
  });
});

describe('execution_metrics', () => {
  test('scores the share of limits met and names the others', async () => {
    const all = {
      max_tool_calls: 1,
      max_steps: 4,
      max_turns: 2,
      max_tokens: 150,
      max_cost_usd: 0.03,
      max_duration_ms: 2500,
    };
    expect(await findingOf(executionMetrics, all, subject)).toEqual({
      score: 1,
      reason: '6 of 6 limits met',
    });
    const none = {
      max_tool_calls: 0,
      max_steps: 3,
      max_turns: 1,
      max_tokens: 149,
      max_cost_usd: 0.02,
      max_duration_ms: 2499,
    };
    expect(await findingOf(executionMetrics, none, subject)).toEqual({
      score: 0,
      reason:
        '0 of 6 limits met; tool calls 1, at most 0; steps 4, at most 3; turns 2, at most 1; tokens 150, at most 149; ' +
        'cost 0.03 USD, at most 0.02 USD; duration 2500 ms, at most 2499 ms',
    });
    expect(
      (await findingOf(executionMetrics, { max_steps: 4, max_turns: 1, max_tool_calls: 5 }, subject)).score,
    ).toBe(0.666666667);
  });

  test('unknown values cannot be decided', async () => {
    await expect(findingOf(executionMetrics, { max_steps: 9, max_cost_usd: 1 }, {})).rejects.toThrow(
      /configure `price` for the target/,
    );
    await expect(findingOf(executionMetrics, { max_tokens: 1 }, {})).rejects.toThrow(
      /reported no token usage; use a target that reports it/,
    );
  });

  test('refuses an entry without a limit, and fractions of counts', () => {
    expect(problemsOf(executionMetrics, {}).length).toBe(1);
    expect(problemsOf(executionMetrics, { max_steps: 1.5 }).length).toBe(1);
  });
});
