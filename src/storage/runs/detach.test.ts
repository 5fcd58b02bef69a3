import { expect, test } from 'vitest';

import type { Fact } from '../../core/run.ts';
import { attached, detach } from './detach.ts';

const entry = {
  id: 'e1',
  type: 'message',
  role: 'assistant',
  turn: 1,
  at: '2026-01-01T00:00:00Z',
  parts: [{ type: 'text', text: 'a long answer' }],
} as const;

test('the content of an entry is kept elsewhere, and its head stays', () => {
  const kept: string[] = [];
  const fact = detach({ type: 'transcript-entry', entry }, (text) => {
    kept.push(text);
    return attached(text);
  });
  expect(kept).toEqual([JSON.stringify(entry)]);
  const { parts: _, ...head } = entry;
  expect(fact).toEqual({
    type: 'transcript-entry',
    entry: { ...head, ...attached(JSON.stringify(entry)) },
  });
});

test('an entry whose content is kept elsewhere already stays as it is', () => {
  const once = detach({ type: 'transcript-entry', entry }, attached);
  const never = (): never => {
    throw new Error('nothing is left to put aside');
  };
  expect(detach(once, never)).toBe(once);
});

test('other facts are not touched', () => {
  const fact: Fact = { type: 'run-end', state: 'completed' } as Fact;
  expect(detach(fact, attached)).toBe(fact);
});
