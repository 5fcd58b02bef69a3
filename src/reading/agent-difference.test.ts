import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { agentDifference } from './agent-difference.ts';
import { lineChanges, type ChangedLine } from './line-changes.ts';

const MARKS = { same: ' ', removed: '-', added: '+' } as const;
const shown = (changes: readonly ChangedLine[]) => changes.map(({ change, text }) => MARKS[change] + text);

describe('the difference of two agents', () => {
  test('tells the prompt by line, tools by name and the other keys by themselves', () => {
    const find = { name: 'find', description: 'Finds.', parameters: { type: 'object', required: ['id'] } };
    const before = {
      type: 'model',
      model: 'a/b',
      temperature: 0,
      system: 'You are a clerk.\nBe brief.\nSay goodbye.',
      tools: [find, { name: 'renew' }],
    };
    const after = {
      model: 'a/c',
      type: 'model',
      system: 'You are a clerk.\nBe friendly.\nSay goodbye.\nNever guess.',
      tools: [{ name: 'send' }, { ...find, parameters: { required: ['id'], type: 'object' } }],
      maxOutputTokens: 9,
    };
    const { prompt, ...rest } = agentDifference(before, after);
    expect(shown(prompt)).toEqual([
      ' You are a clerk.',
      '-Be brief.',
      '+Be friendly.',
      ' Say goodbye.',
      '+Never guess.',
    ]);
    expect(rest).toEqual({
      tools: [
        { name: 'renew', before: { name: 'renew' } },
        { name: 'send', after: { name: 'send' } },
      ],
      keys: [
        { name: 'model', before: 'a/b', after: 'a/c' },
        { name: 'temperature', before: 0 },
        { name: 'maxOutputTokens', after: 9 },
      ],
    });
  });

  test('tells the prompt of an HTTP agent by line, and a prompt under another key as two keys', () => {
    const { prompt, keys } = agentDifference({ prompt: 'Be kind.' }, { prompt: 'Be kind.\nBe brief.' });
    expect([shown(prompt), keys]).toEqual([[' Be kind.', '+Be brief.'], []]);
    expect(agentDifference({ system: 'Be kind.' }, { prompt: 'Be kind.' })).toEqual({
      prompt: [],
      tools: [],
      keys: [
        { name: 'system', before: 'Be kind.' },
        { name: 'prompt', after: 'Be kind.' },
      ],
    });
  });

  test('is empty for equal ones, whatever the order of their keys', () => {
    const one = { type: 'http', url: 'http://x.test', headers: { a: '1', b: '2' } };
    const other = { headers: { b: '2', a: '1' }, url: 'http://x.test', type: 'http' };
    expect(agentDifference(one, other)).toEqual({ prompt: [], tools: [], keys: [] });
  });
});

describe('changed lines', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 });

  test('give both texts back, and keep as much as a change of one line leaves', () => {
    const holds = fc.property(lines, lines, (before, after) => {
      const changes = lineChanges(before, after);
      const without = (left: ChangedLine['change']) =>
        changes.filter(({ change }) => change !== left).map(({ text }) => text);
      expect([without('added'), without('removed')]).toEqual([before, after]);
    });
    fc.assert(holds);
    expect(shown(lineChanges(['a', 'b', 'c'], ['a', 'c']))).toEqual([' a', '-b', ' c']);
    expect(shown(lineChanges([], ['a']))).toEqual(['+a']);
  });

  test('of very long texts are what lies between', () => {
    const long = (word: string) => Array.from({ length: 3000 }, (_, index) => `${word} ${index}`);
    const changes = lineChanges(['first', ...long('old'), 'last'], ['first', ...long('new'), 'last']);
    expect(changes.map(({ change }) => change)).toEqual([
      'same',
      ...Array<string>(3000).fill('removed'),
      ...Array<string>(3000).fill('added'),
      'same',
    ]);
  });
});
