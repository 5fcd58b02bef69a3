import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { clearTab, forgetInTab, keepInTab, keptInTab } from './tab-storage.ts';

const page = new EventTarget();
const stored = new Map<string, string>();
let isFull = false;

beforeEach(() => {
  vi.useFakeTimers();
  isFull = false;
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    removeItem: (key: string) => stored.delete(key),
    clear: () => stored.clear(),
    setItem: (key: string, text: string) => {
      if (isFull) throw new Error('full');
      stored.set(key, text);
    },
  });
});

afterEach(() => {
  clearTab();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a value is written once nothing changed for a moment, and is there before', () => {
  keepInTab('a', 1);
  vi.advanceTimersByTime(299);
  keepInTab('a', 2);
  vi.advanceTimersByTime(299);
  expect([keptInTab('a'), [...stored]]).toEqual([2, []]);
  vi.advanceTimersByTime(1);
  expect([keptInTab('a'), [...stored]]).toEqual([2, [['a', '2']]]);
});

test('a page that is left writes at once', () => {
  keepInTab('a', { b: 1 });
  page.dispatchEvent(new Event('pagehide'));
  expect([...stored]).toEqual([['a', '{"b":1}']]);
});

test('what is forgotten is not written later', () => {
  keepInTab('a', 1);
  keepInTab('b', 1);
  forgetInTab('a');
  vi.advanceTimersByTime(300);
  expect([keptInTab('a'), [...stored]]).toEqual([undefined, [['b', '1']]]);
  keepInTab('c', 1);
  clearTab();
  page.dispatchEvent(new Event('pagehide'));
  expect([...stored]).toEqual([]);
});

test('a value that the storage does not take stays in the page', () => {
  isFull = true;
  keepInTab('a', 1);
  vi.advanceTimersByTime(300);
  expect([keptInTab('a'), [...stored]]).toEqual([1, []]);
});
