import { expect, test } from 'vitest';

import { heldTime } from '../../test/support/held-time.ts';
import { endWhenRefused } from './feed-end.ts';
import { openFeeds } from './feeds.ts';

test('an account has a limited number of feeds at a time, and others have their own', () => {
  const feeds = openFeeds(2);
  const first = feeds.open('ann');
  feeds.open('ann');
  expect(() => feeds.open('ann')).toThrow('2 live connections to this server are open already');
  feeds.open('bob');
  first();
  first();
  feeds.open('ann');
  expect(() => feeds.open('ann')).toThrow('2 live connections to this server are open already');
});

test('a feed ends within half a minute when its reader may no longer have it', async () => {
  const goOn = heldTime();
  const closed = new AbortController();
  let isAllowed: () => Promise<boolean> = async () => true;
  const stop = endWhenRefused(() => isAllowed(), closed);
  await goOn(60_000);
  isAllowed = () => Promise.reject(new Error('the database is gone'));
  await goOn(60_000);
  expect(closed.signal.aborted).toBe(false);
  isAllowed = async () => false;
  await goOn(30_000);
  expect(closed.signal.aborted).toBe(true);
  stop();
});
