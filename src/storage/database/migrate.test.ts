import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { DATABASES, type OpenedDatabase } from '../../../test/support/databases.ts';
import { codeOf } from '../../../test/support/written-runs.ts';
import { sha256 } from '../../lib/digest.ts';
import { migrate, migrationStates } from './migrate.ts';
import { type Migration, ownMigrations } from './migrations.ts';

const step = (number: number, sql: string): Migration => ({
  number,
  name: `step-${number}`,
  sql,
  checksum: sha256(sql),
});
const FIRST = step(1, 'create table first (id integer); insert into first values (1);');
const SECOND = step(2, 'create table second (id integer)');

describe.each(DATABASES)('migrations, on $name', ({ open }) => {
  let opened: OpenedDatabase;
  beforeAll(async () => {
    opened = await open();
  });
  beforeEach(() => opened.database.script('drop schema public cascade; create schema public'));
  afterAll(() => opened.end());

  test('apply what is missing, in order, and nothing again', async () => {
    const { database } = opened;
    expect(await migrationStates(database, [FIRST, SECOND])).toEqual([
      { number: 1, name: 'step-1' },
      { number: 2, name: 'step-2' },
    ]);
    expect(await migrate(database, [FIRST])).toEqual([FIRST]);
    expect(await migrate(database, [FIRST, SECOND])).toEqual([SECOND]);
    expect(await migrate(database, [FIRST, SECOND])).toEqual([]);
    const states = await migrationStates(database, [FIRST, SECOND]);
    expect(states.map(({ appliedAt }) => appliedAt)).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    ]);
  });

  test('two processes that migrate at once apply each one once', async () => {
    const { database } = opened;
    const applied = await Promise.all([1, 2, 3].map(() => migrate(database, [FIRST, SECOND])));
    expect(applied.flat().toSorted((left, right) => left.number - right.number)).toEqual([FIRST, SECOND]);
    expect(await database.query('select id from first')).toEqual([{ id: 1 }]);
  });

  test('one that fails leaves nothing behind, and those before it', async () => {
    const { database } = opened;
    const broken = step(2, 'create table second (id integer); select 1 / 0;');
    await expect(migrate(database, [FIRST, broken])).rejects.toThrow('division by zero');
    expect(await database.query(`select to_regclass('second')::text as name`)).toEqual([{ name: null }]);
    expect(await migrate(database, [FIRST, SECOND])).toEqual([SECOND]);
  });

  test('refuse a database that has another text of one, or a later one', async () => {
    const { database } = opened;
    await migrate(database, [FIRST, SECOND]);
    const edited = step(1, 'create table first (id bigint)');
    expect(await codeOf(migrate(database, [edited, SECOND]))).toBe('migration-changed');
    expect(await codeOf(migrationStates(database, [edited, SECOND]))).toBe('migration-changed');
    expect(await codeOf(migrate(database, [FIRST]))).toBe('database-newer');
  });
});

test('the migrations of the program are numbered from 1 without gaps', () => {
  const numbers = ownMigrations().map(({ number }) => number);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});

test('both databases have the same schema after all migrations', async () => {
  const schemas = [];
  for (const { open } of DATABASES) {
    const { database, end } = await open();
    await migrate(database);
    schemas.push(await database.query(CATALOG));
    await end();
  }
  expect(schemas[0]?.length).toBeGreaterThan(200);
  expect(schemas[0]).toEqual(schemas[1]);
});

// Later versions of PostgreSQL list what must not be null among the constraints, too.
const CATALOG = `
  select 'column' as kind, table_name || '.' || column_name as name,
    concat_ws(' ', ordinal_position, data_type, udt_name, character_maximum_length, is_nullable, column_default,
      is_identity, collation_name) as said
  from information_schema.columns where table_schema = 'public'
  union all
  select 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
  from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
  union all
  select 'index', indexname, indexdef from pg_indexes where schemaname = 'public'
  union all
  select 'trigger', tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all
  select 'function', proname, pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
  order by 1, 2`;
