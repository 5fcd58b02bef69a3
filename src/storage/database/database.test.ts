import { expect, test } from 'vitest';

import { onBothDatabases } from '../../../test/support/databases.ts';
import { startPostgres } from '../../../test/support/postgres-server.ts';
import { refusingPort } from '../../../test/support/refusing-port.ts';
import { codeOf } from '../../../test/support/written-runs.ts';
import { type Parameter, sqlState } from './database.ts';
import { serverDatabase } from './server-database.ts';

onBothDatabases('a database', (database) => {
  const valueOf = async (sql: string, ...parameters: Parameter[]): Promise<unknown> =>
    (await database().query<{ value: unknown }>(`select ${sql} as value`, parameters))[0]?.value;

  test('gives counts as numbers, JSON as its text, and times as ISO 8601 in UTC', async () => {
    expect(await valueOf('count(*)')).toBe(1);
    expect(await valueOf('9007199254740991::bigint')).toBe(9_007_199_254_740_991);
    expect(await valueOf('0.1::double precision')).toBe(0.1);
    expect(await valueOf(`'{"b": 1,"a":2}'::json`)).toBe('{"b": 1,"a":2}');
    expect(await valueOf(`'{"b": 1,"a":2}'::jsonb`)).toBe('{"a": 2, "b": 1}');
    expect(await valueOf(`'2026-01-01 02:03:04.000001+01'::timestamptz`)).toBe('2026-01-01T01:03:04.000001Z');
    expect(await valueOf(`'2026-01-01 00:00:00Z'::timestamptz`)).toBe('2026-01-01T00:00:00.000000Z');
  });

  test('takes texts, lists and bytes as they are', async () => {
    const hostile = `'; drop table run; -- "\\ 漢 {a,b}`;
    expect(await valueOf('$1::text', hostile)).toBe(hostile);
    expect(await valueOf('$1::text[]', [hostile, null, ''])).toEqual([hostile, null, '']);
    expect(await valueOf('$1::int[]', [1, null])).toEqual([1, null]);
    expect(await valueOf('$1::boolean[]', [true, null])).toEqual([true, null]);
    expect(Buffer.from((await valueOf('$1::bytea', new Uint8Array([0, 255]))) as Uint8Array)).toEqual(
      Buffer.from([0, 255]),
    );
    expect(await valueOf('$1::text::json', '{"a":"\\u0000"}')).toBe('{"a":"\\u0000"}');
  });

  test('does a transaction whole or not at all', async () => {
    const failing = database().transaction(async ({ query }) => {
      await query(`insert into metric (id, body) values ('a', '{}')`);
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    const broken = database().transaction(async ({ query }) => {
      await query(`insert into metric (id, body) values ('a', '{}')`);
      await query('select nothing');
    });
    await expect(broken).rejects.toSatisfy((error) => sqlState(error) === '42703');
    expect(await database().query('select id from metric')).toEqual([]);
    const done = database().transaction(async ({ query }) => {
      await query(`insert into metric (id, body) values ('a', '{}')`);
      return query('select id from metric');
    });
    expect(await done).toEqual([{ id: 'a' }]);
  });

  test('does the same with last statements that the transaction does not wait for', async () => {
    const insert = `insert into metric (id, body) values ($1, '{}')`;
    const broken = database().transaction(async ({ query }, last) => {
      last([query(insert, ['a']), query('select nothing'), query(insert, ['b'])]);
    });
    await expect(broken).rejects.toSatisfy((error) => sqlState(error) === '42703');
    expect(await database().query('select id from metric')).toEqual([]);
    const done = database().transaction(async ({ query }, last) => {
      last([query(insert, ['a']), query(insert, ['b'])]);
      return 'done';
    });
    expect(await done).toBe('done');
    expect(await database().query('select id from metric order by id')).toEqual([{ id: 'a' }, { id: 'b' }]);
  });

  test('keeps transactions that run at once apart', async () => {
    await database().query(`insert into metric (id, body) values ('n', '0')`);
    const increase = () =>
      database().transaction(async ({ query }) => {
        const [row] = await query<{ body: string }>(`select body from metric where id = 'n' for update`);
        await query(`update metric set body = $1::text::json where id = 'n'`, [`${Number(row?.body) + 1}`]);
      });
    await Promise.all(Array.from({ length: 20 }, increase));
    expect(await database().query('select body from metric')).toEqual([{ body: '20' }]);
  });
});

test('a server that cannot be reached is named without its password', async () => {
  await using refusing = await refusingPort();
  const url = `postgres://somebody:hunter2-hunter2@127.0.0.1:${refusing.port}/cases`;
  const message = await serverDatabase(url).then(String, (error: Error) => error.message);
  expect(message).toMatch(/^cannot connect to postgres:\/\/127\.0\.0\.1:\d+\/cases: .*ECONNREFUSED/);
  expect(message).not.toContain('hunter2');
  expect(await codeOf(serverDatabase(url))).toBe('database-unreachable');
  expect(await codeOf(serverDatabase('hunter2 at home'))).toBe('database-unreachable');
});

test('an address of another kind of database is refused, and the hint shows the form', async () => {
  await expect(serverDatabase('mysql://127.0.0.1:1/cases')).rejects.toMatchObject({
    code: 'database-unreachable',
    message: 'DATABASE_URL is not a valid database URL',
    hint: 'write it as postgres://ACCOUNT:PASSWORD@HOST:5432/NAME',
  });
});

test('a connection that the server ends is replaced by another one', async () => {
  const server = await startPostgres();
  const database = await serverDatabase(server.url('postgres'));
  const ended = database.transaction(async ({ query }) => {
    await query('select pg_terminate_backend(pg_backend_pid())');
  });
  await expect(ended).rejects.toThrow('terminating connection');
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  await database.close();
  await server.stop();
});
