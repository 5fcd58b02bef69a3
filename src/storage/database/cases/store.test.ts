import { randomUUID } from 'node:crypto';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { onBothDatabases } from '../../../../test/support/databases.ts';
import { selectCases } from '../../../authoring/stored/selector.ts';
import type { KeptCase } from '../../../core/case-store.ts';
import type { CaseSelector } from '../../../core/run-options.ts';
import { caseOf, CREATE, imported, MOCK } from './fixtures/cases.ts';
import { selectionOf } from './selection.ts';
import { databaseCases } from './store.ts';

onBothDatabases('cases', (database) => {
  const cases = () => databaseCases(database());
  const namesOf = (list: readonly KeptCase[]) => list.map(({ fields }) => fields.name);
  const select = async (selector: CaseSelector) => namesOf(await cases().selected(selector));

  describe('of a store', () => {
    test('come back as they were written, with an id and times', async () => {
      const fields = caseOf('x', {
        description: 'd',
        difficulty: 'hard',
        tags: ['b', 'a'],
        persona: { type: 't', description: '', instructions: 'i' },
        user_context: { order: { id: 1.5, list: [null, true] }, '': '漢' },
        max_turns: 3,
        expected_outcomes: {},
        expected_tool_calls: [{ tool: 'look', expected_params: null }],
        evaluation_criteria_override: ' ',
      });
      const made = await cases().create(fields);
      expect(made).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        fields,
      });
      expect(await cases().called(made.id.toUpperCase())).toEqual([made]);
      expect(await cases().called('x')).toEqual([made]);
      expect(await cases().called('X')).toEqual([]);
    });

    test('are replaced only by who knows them as they are', async () => {
      const made = await cases().create(caseOf('x'));
      const first = await cases().replace(made.id, caseOf('y'), made.updatedAt);
      if (first.outcome !== 'written') throw new Error(first.outcome);
      expect(first.case).toEqual({ ...made, fields: caseOf('y'), updatedAt: first.case.updatedAt });
      expect(await cases().replace(made.id, caseOf('z'), made.updatedAt)).toEqual({
        outcome: 'stale',
        case: first.case,
      });
      expect((await cases().replace(made.id, caseOf('z'))).outcome).toBe('written');
      expect(await cases().replace(randomUUID(), caseOf('z'))).toEqual({ outcome: 'unknown' });
      expect(await cases().replace('no id', caseOf('z'))).toEqual({ outcome: 'unknown' });
    });

    test('are written by one of many who know the same', async () => {
      const made = await cases().create(caseOf('x'));
      const written = await Promise.all(
        ['a', 'b', 'c'].map((name) => cases().replace(made.id, caseOf(name), made.updatedAt)),
      );
      expect(written.map(({ outcome }) => outcome).toSorted()).toEqual(['stale', 'stale', 'written']);
    });

    test('are read with their mocks in parts', async () => {
      const many = Array.from({ length: 501 }, (_, index) => imported(`case ${index}`));
      await cases().import(many, CREATE);
      const [first] = await cases().selected({});
      await cases().replaceMocks(first?.id ?? '', [{ ...MOCK, tool: 'last' }, MOCK]);
      const selected = await cases().selected({});
      const mocks = await cases().mocksOf(selected.map(({ id }) => id));
      const whole = selected.map((kept) => ({ ...kept, mocks: mocks.get(kept.id) ?? [] }));
      expect(whole[0]?.mocks.map(({ tool }) => tool)).toEqual(['last', MOCK.tool]);
      const parts: (readonly KeptCase[])[] = [];
      await cases().takeWithMocks({}, async (part) => {
        // Only a server has a second connection.
        if (database().kind === 'server') await cases().replaceMocks(whole[500]?.id ?? '', [MOCK, MOCK]);
        parts.push(part);
      });
      expect(parts.map(({ length }) => length)).toEqual([500, 1]);
      expect(parts.flat()).toEqual(whole);
    });

    test('have mocks in order, which change when the case was changed', async () => {
      const made = await cases().create(caseOf('x'));
      const mocks = [MOCK, { ...MOCK, tool: 'act', times: 1 }];
      const first = await cases().replaceMocks(made.id, mocks, made.updatedAt);
      if (first.outcome !== 'written') throw new Error(first.outcome);
      expect(await cases().mocks(made.id)).toEqual(mocks);
      expect(first.case.updatedAt > made.updatedAt).toBe(true);
      expect((await cases().replaceMocks(made.id, [], made.updatedAt)).outcome).toBe('stale');
      const second = await cases().replaceMocks(made.id, []);
      const third = await cases().replaceMocks(made.id, []);
      if (second.outcome !== 'written' || third.outcome !== 'written') throw new Error('it is written');
      expect(third.case.updatedAt > second.case.updatedAt).toBe(true);
    });

    test('are counted by tag', async () => {
      await cases().import(
        [imported('1', { tags: ['a', 'b'] }), imported('2', { tags: ['b', 'B'] })],
        CREATE,
      );
      expect(await cases().tags()).toEqual([
        { tag: 'b', cases: 2 },
        { tag: 'B', cases: 1 },
        { tag: 'a', cases: 1 },
      ]);
    });
  });

  describe('that a selector means', () => {
    test('are those of its tags, its text and its status', async () => {
      await cases().import(
        [
          imported('1', { tags: ['a', 'b'], description: '50%_\\ off' }),
          imported('2', { tags: ['c'], description: '50 percent, Ä' }),
          imported('3', { tags: ['a'], status: 'draft', difficulty: 'hard' }),
        ],
        CREATE,
      );
      expect(await select({})).toEqual(['1', '2']);
      expect(await select({ status: ['any'], tagAll: ['a'] })).toEqual(['1', '3']);
      expect(await select({ status: ['any'], tagAll: ['a', 'b'] })).toEqual(['1']);
      expect(await select({ status: ['any'], tagAny: ['a', 'c'] })).toEqual(['1', '2', '3']);
      expect(await select({ search: '50%_\\' })).toEqual(['1']);
      expect(await select({ search: 'PERCENT' })).toEqual(['2']);
      expect(await select({ search: 'ä' })).toEqual([]);
      expect(await select({ ids: ['3'] })).toEqual(['3']);
      expect(await select({ difficulty: ['hard'], status: ['draft'] })).toEqual(['3']);
    });

    test('are the same as of files', async () => {
      const word = fc.constantFrom('a', 'B', 'ä', 'A', '%', '_', '\\', '漢');
      const field = fc.record({
        name: fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
        description: fc.option(word),
        tags: fc.uniqueArray(word, { maxLength: 3 }),
        difficulty: fc.constantFrom('normal' as const, 'hard' as const),
        status: fc.constantFrom('draft' as const, 'active' as const, 'archived' as const),
      });
      const selector = fc.record(
        {
          status: fc.uniqueArray(fc.constantFrom('draft', 'active', 'archived', 'any'), { minLength: 1 }),
          difficulty: fc.uniqueArray(fc.constantFrom('normal', 'hard'), { minLength: 1 }),
          tagAny: fc.array(word, { maxLength: 2 }),
          tagAll: fc.array(word, { maxLength: 2 }),
          search: word,
          ids: fc.array(word, { maxLength: 2 }),
        },
        { requiredKeys: [] },
      ) as fc.Arbitrary<CaseSelector>;
      await fc.assert(
        fc.asyncProperty(
          fc.array(field, { maxLength: 6 }),
          fc.array(selector, { maxLength: 6 }),
          async (some, asked) => {
            await database().query('delete from test_case');
            await cases().import(
              some.map(({ name, ...written }) => imported(name, written)),
              CREATE,
            );
            const files = some.map(({ name, ...written }) => ({
              case: caseOf(name, written),
              file: 'f',
              directory: '/',
              mocks: [],
              movedMocks: 0,
            })) as unknown as Parameters<typeof selectCases>[0];
            for (const each of asked) {
              expect(await select(each)).toEqual(
                selectCases(files, each).cases.map((found) => found.case.name),
              );
            }
          },
        ),
        { numRuns: 25 },
      );
    });

    test('come in pages that stay right while cases are added and archived', async () => {
      const names = Array.from({ length: 25 }, (_, index) => `case ${index}`);
      await cases().import(
        names.map((name) => imported(name)),
        CREATE,
      );
      const found: KeptCase[] = [];
      for (let after: KeptCase | undefined; ; after = found.at(-1)) {
        const page = await cases().list({}, { limit: 10, after });
        found.push(...page);
        if (page.length < 10) break;
        await cases().create(caseOf(`added ${found.length}`));
        const [first] = page;
        if (first !== undefined) await cases().replace(first.id, { ...first.fields, status: 'archived' });
      }
      expect(namesOf(found)).toEqual([...names, 'added 10', 'added 20']);
    });

    test('are found by the index of tags among 50,000', async () => {
      await database().script(`
        insert into test_case (name, tags)
        select 'case ' || n, array['t' || n % 100, 'all'] from generate_series(1, 50000) as n`);
      await database().script('vacuum analyze test_case');
      for (const [selector, limit] of [
        [{ tagAny: ['t7'] }, ''],
        [{ tagAll: ['t7', 'all'] }, ''],
        [{ tagAll: ['t7'], search: 'case' }, 'limit 50'],
      ] as const) {
        const { from, where, parameters } = selectionOf(selector);
        const plan = await database().query<{ 'QUERY PLAN': string }>(
          `explain select id from ${from} where ${where} order by created_at, id ${limit}`,
          parameters,
        );
        expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain(
          'Bitmap Index Scan on test_case_tags',
        );
        expect(await cases().list(selector, { limit: 1000 })).toHaveLength(500);
      }
    });
  });
});
