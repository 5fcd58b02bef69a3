import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { onBothDatabases } from '../../../test/support/databases.ts';
import { storedCaseSchema } from '../../authoring/stored/schema.ts';
import type { JsonValue } from '../../lib/json.ts';
import { type Database, sqlState } from './database.ts';

const CASE = `insert into test_case (name) values ('x') returning id, updated_at`;
const RUN = `insert into run (id, kind, origin, state, manifest) values ('r', 'run', 'cli', 'running', '{}')`;
const LEASE = '00000000-0000-4000-8000-000000000000';

onBothDatabases('the schema', (database) => {
  const query: Database['query'] = (sql, parameters) => database().query(sql, parameters);
  const codeOf = async (sql: string): Promise<string | undefined> => {
    try {
      await query(sql);
    } catch (error) {
      return sqlState(error) ?? String(error);
    }
    return undefined;
  };
  const caseWith = (column: string, value: string) =>
    codeOf(`insert into test_case (${column === 'name' ? '' : 'name, '}${column})
      values (${column === 'name' ? '' : `'x', `}${value})`);

  describe('of test cases', () => {
    test('has the fields of the specification, the id and the times, and no other column', async () => {
      const columns = await query<{ name: string; type: string; nullable: string }>(
        `select column_name as name, is_nullable as nullable,
           coalesce(udt_name || '(' || character_maximum_length || ')', udt_name) as type
         from information_schema.columns where table_name = 'test_case' order by ordinal_position`,
      );
      expect(
        columns.map(({ name, type, nullable }) => `${name} ${type}${nullable === 'YES' ? ' null' : ''}`),
      ).toEqual([
        'id uuid',
        'name varchar(255)',
        'description text null',
        'difficulty text',
        'tags _text',
        'status text',
        'persona jsonb null',
        'initial_message text null',
        'user_context jsonb null',
        'max_turns int4 null',
        'expected_outcomes jsonb null',
        'expected_tool_calls jsonb null',
        'evaluation_criteria_override text null',
        'created_at timestamptz',
        'updated_at timestamptz',
      ]);
    });

    test('fills in the defaults of the specification', async () => {
      await query(CASE);
      const [row] = await query('select * from test_case');
      expect(row).toMatchObject({
        difficulty: 'normal',
        tags: [],
        status: 'active',
        persona: null,
        max_turns: null,
      });
    });

    test.each([
      ['name', `repeat('n', 256)`, '22001'],
      ['name', `' '`, '23514'],
      ['name', 'null', '23502'],
      ['difficulty', `'Hard'`, '23514'],
      ['difficulty', 'null', '23502'],
      ['status', `'gone'`, '23514'],
      ['tags', 'null', '23502'],
      ['tags', `array['a', null]`, '23514'],
      ['tags', `array[' ']`, '23514'],
      ['tags', `array['a ']`, '23514'],
      ['tags', `array['a', 'a']`, '23514'],
      ['tags', `array[array['a'], array['b']]`, '23514'],
      ['max_turns', '0', '23514'],
      ['max_turns', '-1', '23514'],
      ['persona', `'[]'`, '23514'],
      ['persona', `'null'`, '23514'],
      ['persona', `'{"type": "t", "description": "d"}'`, '23514'],
      ['persona', `'{"type": "t", "description": "d", "instructions": 1}'`, '23514'],
      ['persona', `'{"type": "t", "description": "d", "instructions": "i", "more": 1}'`, '23514'],
      ['user_context', `'null'`, '23514'],
      ['user_context', `'[]'`, '23514'],
      ['expected_outcomes', `'"text"'`, '23514'],
      ['expected_tool_calls', `'{}'`, '23514'],
      ['expected_tool_calls', `'null'`, '23514'],
      ['expected_tool_calls', `'[{"tool": " "}]'`, '23514'],
      ['expected_tool_calls', `'[{"tool": "t", "expected_params": []}]'`, '23514'],
      ['expected_tool_calls', `'[{"tool": "t", "params": {}}]'`, '23514'],
    ])('refuses a %s of %s', async (column, value, code) => {
      expect(await caseWith(column, value)).toBe(code);
    });

    test('accepts what the validator accepts', async () => {
      const written = fc.record(
        {
          name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }),
          tags: fc.array(fc.constantFrom('a', 'a ', '\u00a0b', '漢', 'A', '\u200b', '\u000b')),
          description: fc.option(fc.string({ unit: 'binary' })),
          max_turns: fc.option(fc.integer({ min: -1, max: 2_147_483_648 })),
          persona: fc.option(
            fc.record({ type: fc.string(), description: fc.string(), instructions: fc.string() }),
          ),
          user_context: fc.option(fc.dictionary(fc.string(), fc.jsonValue())),
          expected_tool_calls: fc.option(
            fc.array(
              fc.record({
                tool: fc.string(),
                expected_params: fc.option(fc.dictionary(fc.string(), fc.jsonValue())),
              }),
            ),
          ),
        },
        { requiredKeys: ['name'] },
      );
      await fc.assert(
        fc.asyncProperty(written, async (value) => {
          const { success, data } = storedCaseSchema.safeParse(value);
          if (!success) return;
          await query(
            `insert into test_case (name, tags, description, max_turns, persona, user_context, expected_tool_calls)
             values ($1, $2::text[], $3, $4::int, $5::text::jsonb, $6::text::jsonb, $7::text::jsonb)`,
            [
              data.name,
              data.tags,
              data.description,
              data.max_turns,
              jsonOf(data.persona),
              jsonOf(data.user_context as JsonValue),
              jsonOf(data.expected_tool_calls as JsonValue),
            ],
          );
        }),
        { numRuns: 200 },
      );
      expect(await query('select count(*) from test_case')).not.toEqual([{ count: 0 }]);
    });

    test('makes updated_at greater with every write, also of mocks and within one transaction', async () => {
      const [{ id = '', updated_at: made = '' } = {}] = await query<{ id: string; updated_at: string }>(CASE);
      const times = [made];
      const written = async (sql: string) => {
        await query(sql);
        const [row] = await query<{ updated_at: string }>(
          `select updated_at from test_case where id = '${id}'`,
        );
        times.push(row?.updated_at ?? '');
      };
      await written(`update test_case set name = 'y', updated_at = '2000-01-01' where id = '${id}'`);
      await written(`update test_case set updated_at = '2999-01-01' where id = '${id}'`);
      await written(
        `insert into tool_mock (test_case_id, position, tool, body) values ('${id}', 0, 't', '{}')`,
      );
      await written(`update tool_mock set tool = 'u' where test_case_id = '${id}'`);
      await written(`delete from tool_mock where test_case_id = '${id}'`);
      expect(times).toEqual([...new Set(times)].toSorted());
    });
  });

  describe('of what never changes', () => {
    test('refuses another config of a version of an agent, and another name of an agent', async () => {
      const [agent] = await query<{ id: string }>(`insert into agent (name) values ('bot') returning id`);
      await query(`insert into agent_version (agent_id, version, config, digest) values ($1, 1, '{}', 'd')`, [
        agent?.id ?? '',
      ]);
      expect(await codeOf(`update agent_version set note = 'n'`)).toBe('23001');
      expect(await codeOf('delete from agent_version')).toBe('23001');
      expect(await codeOf(`update agent set name = 'other'`)).toBe('23001');
      for (const name of ['a#b', 'a@b', ' ']) {
        expect(await codeOf(`insert into agent (name) values ('${name}')`)).toBe('23514');
      }
      expect(await codeOf(`insert into agent (name) values (E'a\\nb')`)).toBe('23514');
    });

    test('refuses to change or remove an event, and lets those of a removed run go', async () => {
      await query(RUN);
      await query(
        `insert into run_event (run_id, sequence, at, type, fact, lease) values ('r', 1, 't', 'note', '{}', '${LEASE}')`,
      );
      expect(await codeOf(`update run_event set attempt = 2`)).toBe('23001');
      expect(await codeOf('delete from run_event')).toBe('23001');
      expect(await codeOf(`delete from run`)).toBeUndefined();
      expect(await query('select * from run_event')).toEqual([]);
    });

    test('lets the digests of a run only grow', async () => {
      await query(RUN);
      await query(`update run set digests = array['a']`);
      await query(`update run set digests = array['a', 'b']`);
      expect(await codeOf(`update run set digests = array['b']`)).toBe('23001');
      expect(await codeOf(`update run set digests = '{}'`)).toBe('23001');
    });
  });

  test('has one baseline of a target and a line that is not cleared', async () => {
    await query(RUN);
    const set = `insert into baseline (target, line, run_id) values ('t', 'l', 'r')`;
    await query(set);
    expect(await codeOf(set)).toBe('23505');
    await query('update baseline set cleared_at = clock_timestamp()');
    expect(await codeOf(set)).toBeUndefined();
  });

  test('gives documents back byte for byte', async () => {
    await query(RUN);
    const texts = ['{"b":1,"a":"\\u0000","a":[1.0,1e400]}', '"\\ud800"', '{ "z" : "漢" }'];
    for (const [index, text] of texts.entries()) {
      await query(
        `insert into run_event (run_id, sequence, at, type, fact, lease)
         values ('r', $1, 't', 'note', $2::text::json, '${LEASE}')`,
        [index + 1, text],
      );
    }
    const rows = await query<{ fact: string }>('select fact from run_event order by sequence');
    expect(rows.map(({ fact }) => fact)).toEqual(texts);
  });
});

const jsonOf = (value: JsonValue): string | null => (value === null ? null : JSON.stringify(value));
