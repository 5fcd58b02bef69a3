import { describe, expect, test } from 'vitest';

import type { Yielded } from '../core/target.ts';
import { createStepCounter, type StepBegan } from './steps.ts';

const thinks: Yielded = { type: 'message', role: 'assistant', phase: 'thinking', parts: [{ text: 'hm' }] };
const says: Yielded = { type: 'message', role: 'assistant', parts: [{ text: 'hi' }] };
const system: Yielded = { type: 'message', role: 'system', parts: [{ text: 'ready' }] };
const user: Yielded = { type: 'message', role: 'user', parts: [{ text: 'and?' }] };
const spends: Yielded = { type: 'usage', inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const starts = (callId: string): Yielded => ({ type: 'tool-call', callId, name: 'look', input: {} });
const ends = (callId: string): Yielded => ({ type: 'tool-result', callId, output: null });
const at = (step: number, entry: Yielded): Yielded => ({ ...entry, step });

const began = (step: number): StepBegan => ({ type: 'step-began', step });

const counts = (...entries: readonly (Yielded | StepBegan)[]): number[] => entries.map(createStepCounter());

describe('without word from the adapter', () => {
  test.each<[string, readonly Yielded[], readonly number[]]>([
    ['an answer is one step', [says], [1]],
    [
      'reasoning, text and the tools they start are one step',
      [thinks, says, starts('a'), starts('b')],
      [1, 1, 1, 1],
    ],
    [
      'a step ends when its tools have ended, and what comes then is the next',
      [says, starts('a'), ends('a'), says, spends],
      [1, 1, 1, 2, 2],
    ],
    [
      'parallel tools belong to one step until the last of them has ended',
      [starts('a'), starts('b'), ends('a'), says, ends('b'), says],
      [1, 1, 1, 1, 1, 2],
    ],
    [
      'tools one after the other are steps of their own',
      [starts('a'), ends('a'), starts('b'), ends('b')],
      [1, 1, 2, 2],
    ],
    ['usage is no step', [spends, says, spends], [0, 1, 1]],
    ['what a program says of itself is no step', [system, says], [0, 1]],
    ['an answer in another turn is another step', [user, says, user, says], [0, 1, 1, 2]],
    [
      'a tool that never ended does not swallow the steps of the next turn',
      [user, starts('a'), user, starts('b'), ends('b'), says],
      [0, 1, 1, 2, 2, 3],
    ],
    ['the result of a tool that was not started ends no step', [says, ends('x'), says], [1, 1, 1]],
    [
      "a sub-agent's tools are no steps",
      [starts('a'), { ...starts('b'), parentCallId: 'a' } as Yielded, ends('b'), ends('a'), says],
      [1, 1, 1, 1, 2],
    ],
    [
      'what a sub-agent says is no step',
      [starts('a'), { ...says, parentCallId: 'a' } as Yielded, ends('a'), says],
      [1, 1, 1, 2],
    ],
  ])('%s', (_, entries, expected) => {
    expect(counts(...entries)).toEqual(expected);
  });
});

describe('with word from the adapter', () => {
  test('every new number is a step, wherever numbers start and tools end', () => {
    expect(counts(at(0, thinks), at(0, starts('a')), at(0, ends('a')), at(0, says), at(1, says))).toEqual([
      1, 1, 1, 1, 2,
    ]);
    expect(counts(at(4, says), at(4, says), at(7, says))).toEqual([1, 1, 2]);
  });

  test('a step counts from its beginning, and its later entries do not count again', () => {
    expect(counts(began(1), at(1, says), began(2), began(3), at(3, says))).toEqual([1, 1, 2, 3, 3]);
  });

  test('an older number does not start a new step', () => {
    expect(counts(at(1, says), at(2, says), at(1, says))).toEqual([1, 2, 2]);
  });
});
