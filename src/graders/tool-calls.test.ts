import { describe, expect, test } from 'vitest';

import type { EntryBody } from '../core/transcript.ts';
import type { JsonObject } from '../lib/json.ts';
import { findingOf, problemsOf } from './subject.fixture.ts';
import { toolCalls } from './tool-calls.ts';

function call(name: string, input: JsonObject = {}): EntryBody {
  return { type: 'tool-call', callId: name, name, input };
}

const entries = [call('search', { q: 'x', page: 1 }), call('mcp__shop__pay', { amount: 5 })];

describe('tool_calls', () => {
  test.each([
    [{ called: [{ tool: 'search' }] }, 1],
    [{ called: [{ tool: 'search', args: { q: 'x' } }] }, 1],
    [{ called: [{ tool: 'search', args: { q: 'y' } }] }, 0],
    [{ called: [{ tool: 'sear' }] }, 0],
    [{ called: [{ tool: '/^mcp__.*pay$/' }] }, 1],
    [{ not_called: [{ tool: 'refund' }] }, 1],
    [{ not_called: [{ tool: 'mcp__shop__pay', args: { amount: 6 } }] }, 1],
    [{ not_called: [{ tool: 'mcp__shop__pay' }] }, 0],
    [{ only: [{ tool: 'search' }, { tool: '/pay/' }] }, 1],
    [{ only: [{ tool: 'search' }] }, 0],
    [{ only: [] }, 0],
    [{ called: [{ tool: 'search' }], not_called: [{ tool: 'refund' }], only: [{ tool: '/./' }] }, 1],
  ])('%j scores %d', async (config, score) => {
    expect((await findingOf(toolCalls, config, { entries })).score).toBe(score);
  });

  test('only, with an empty list, holds when nothing was called', async () => {
    expect((await findingOf(toolCalls, { only: [] }, {})).score).toBe(1);
  });

  test('reports all mismatches', async () => {
    const config = {
      called: [{ tool: 'refund', args: { id: 1 } }],
      not_called: [{ tool: 'search' }],
      only: [{ tool: 'search' }],
    };
    expect((await findingOf(toolCalls, config, { entries })).reason).toBe(
      'expected a call of refund {"id":1}; expected no call of search, found search {"q":"x","page":1}; ' +
        'expected no other calls, found mcp__shop__pay {"amount":5}. ' +
        'Observed tool calls: search {"q":"x","page":1} | mcp__shop__pay {"amount":5}',
    );
  });

  test('refuses an entry that checks nothing, and invalid patterns', () => {
    expect(problemsOf(toolCalls, {})).toEqual([': give `called`, `not_called` or `only`']);
    expect(problemsOf(toolCalls, { called: [{ tool: '/(/' }] })).toEqual([
      'called.0.tool: invalid regular expression: /(/: Unterminated group',
    ]);
  });
});
