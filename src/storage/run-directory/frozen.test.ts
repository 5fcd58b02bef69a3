import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, expect, test } from 'vitest';

import type { Frozen } from '../../core/run.ts';
import { all, scratch } from './fixtures/runs.ts';
import { keepFrozen, readFrozen } from './frozen.ts';

const { folder, clear } = scratch();
afterEach(clear);

const plain = { json: <Value>(value: Value) => value };

test('each copy is kept once, whole, however many there are, and one that is there stays as it is', async () => {
  const paths = { frozen: join(folder(), 'frozen.jsonl') };
  const copy = (digest: string, text: string) => ({ digest, kind: 'case', body: { text } }) as Frozen;
  const many = Array.from({ length: 40 }, (_, number) => copy(`d${number}`, 'x'.repeat(20_000)));
  await keepFrozen(paths, [...many, ...many], plain);
  await keepFrozen(paths, [copy('d1', 'changed'), copy('last', 'new')], plain);
  const kept: Frozen[] = [];
  for await (const each of readFrozen(paths)) kept.push(each);
  expect(kept).toEqual([...many, copy('last', 'new')]);
  expect(readFileSync(paths.frozen, 'utf8').split('\n')).toHaveLength(42);
});

test('copies are found by their digests, however their lines are written', async () => {
  const paths = { frozen: join(folder(), 'frozen.jsonl') };
  const copy = (digest: string): Frozen => ({ digest, kind: 'case', body: { digest: 'ab' } });
  await keepFrozen(paths, ['ab', 'abc', 'cd'].map(copy), plain);
  appendFileSync(paths.frozen, '{ "digest": "ef", "kind": "case", "body": null }\n');
  const found = [copy('ab'), { digest: 'ef', kind: 'case', body: null }];
  expect(await all(readFrozen(paths, new Set(['ab', 'ef', 'missing'])))).toEqual(found);
});
