import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { expect, test } from 'vitest';

import { runPoller } from './run-poller.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('a feed that stays open holds none of the versions that it has seen', async () => {
  const looks: WeakRef<ReadonlyMap<string, string>>[] = [];
  const versions = async () => {
    const look = new Map([['a', `running ${looks.length}`]]);
    looks.push(new WeakRef(look));
    return look;
  };
  const closed = new AbortController();
  const feed = runPoller({ versions }, 0).follow(undefined, closed.signal);
  for (let seen = 0; seen < 20; seen += 1) await feed.next();
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(looks.filter((look) => look.deref() !== undefined).length).toBeLessThan(3);
  closed.abort();
  expect(await feed.next()).toEqual({ done: true, value: undefined });
});

test('a feed that is left while the store is asked ends without an error', async () => {
  const closed = new AbortController();
  const versions = async () => {
    closed.abort();
    throw new Error('closed');
  };
  const feed = runPoller({ versions }, 0).follow(undefined, closed.signal);
  expect(await feed.next()).toEqual({ done: true, value: undefined });
});

test('an error of the store reaches every feed', async () => {
  let asked = 0;
  const versions = async () => {
    asked += 1;
    if (asked > 2) throw new Error('gone');
    return new Map<string, string>();
  };
  const poller = runPoller({ versions }, 0);
  const feeds = [1, 2].map(() => poller.follow(undefined, new AbortController().signal));
  await Promise.all(feeds.map((feed) => feed.next()));
  const failed = await Promise.allSettled(feeds.map((feed) => feed.next()));
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
