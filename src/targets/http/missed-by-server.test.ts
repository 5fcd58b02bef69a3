import { expect, test } from 'vitest';

import type { MissedConnection } from '../../core/missed-connections.ts';
import { missedByServer } from './missed-by-server.ts';

const refused = (host: string): MissedConnection => ({ host, why: 'refused' });

test('each attempt is told what the server missed while it was asked, and the next one what nobody was told', async () => {
  const server = missedByServer();
  const told: Record<string, string[]> = { one: [], two: [], three: [] };
  const tell = (name: string) => (connection: MissedConnection) => void told[name]?.push(connection.host);
  server.missed(refused('at-start'));
  const ends = { one: () => {}, two: () => {} };
  const one = server.during(tell('one'), () => new Promise<void>((end) => (ends.one = end)));
  server.missed(refused('first'));
  const two = server.during(tell('two'), () => new Promise<void>((end) => (ends.two = end)));
  server.missed(refused('both'));
  ends.one();
  await one;
  server.missed(refused('second'));
  ends.two();
  await two;
  server.missed(refused('between'));
  expect(await server.during(tell('three'), () => Promise.resolve('answer'))).toBe('answer');
  expect(told).toEqual({
    one: ['at-start', 'first', 'both'],
    two: ['both', 'second'],
    three: ['between'],
  });
});
