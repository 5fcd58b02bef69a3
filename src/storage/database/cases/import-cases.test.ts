import { randomUUID } from 'node:crypto';

import { expect, test } from 'vitest';

import { onBothDatabases } from '../../../../test/support/databases.ts';
import type { ImportedCase } from '../../../core/case-store.ts';
import type { CaseSelector } from '../../../core/run-options.ts';
import { caseOf, CREATE, imported, MOCK } from './fixtures/cases.ts';
import { databaseCases } from './store.ts';

onBothDatabases('cases that are imported', (database) => {
  const cases = () => databaseCases(database());
  const select = async (selector: CaseSelector) =>
    (await cases().selected(selector)).map(({ fields }) => fields.name);

  test('are all written or none', async () => {
    await cases().create(caseOf('there'));
    const some = [imported('new'), imported('there')];
    expect(await cases().import(some, { onConflict: 'error', match: 'name' })).toEqual({
      problems: [
        {
          index: 1,
          code: 'case-exists',
          message: expect.stringMatching(/^"there" is already in the store, with the id /),
        },
      ],
    });
    expect(await select({})).toEqual(['there']);
  });

  test('replace with defaults, merge what is written, or are skipped, and write only what differs', async () => {
    const id = randomUUID();
    const before = imported('x', { max_turns: 3, tags: ['a'] }, { id, mocks: [MOCK] });
    expect(await cases().import([before], CREATE)).toEqual({ items: [{ id, result: 'created' }] });
    const [kept] = await cases().called(id);
    const again = async (
      change: ImportedCase,
      onConflict: 'skip' | 'merge' | 'replace',
      isDryRun = false,
    ) => {
      const outcome = await cases().import([change], { onConflict, match: 'id', isDryRun });
      const [now] = await cases().called(id);
      return [
        'items' in outcome ? outcome.items[0]?.result : outcome,
        now?.fields.max_turns,
        now?.fields.tags,
      ];
    };
    const change = imported('x', { tags: ['b'] }, { id });
    expect(await again(change, 'skip')).toEqual(['skipped', 3, ['a']]);
    expect(await again(before, 'merge')).toEqual(['unchanged', 3, ['a']]);
    expect(await again(before, 'replace')).toEqual(['unchanged', 3, ['a']]);
    expect(await cases().called(id)).toEqual([kept]);
    expect(await again(change, 'merge', true)).toEqual(['merged', 3, ['a']]);
    expect(await again(change, 'merge')).toEqual(['merged', 3, ['b']]);
    expect(await again(change, 'replace')).toEqual(['replaced', null, ['b']]);
    expect(await cases().mocks(id)).toEqual([MOCK]);
    expect(await again({ ...change, mocks: [] }, 'replace')).toEqual(['replaced', null, ['b']]);
    expect(await cases().mocks(id)).toEqual([]);
  });

  test('are refused where a name or an id means several', async () => {
    const id = randomUUID();
    await cases().import([imported('twice'), imported('twice'), imported('once', {}, { id })], CREATE);
    const codes = async (...some: readonly ImportedCase[]) => {
      const outcome = await cases().import(some, { onConflict: 'replace', match: 'name' });
      return 'problems' in outcome ? outcome.problems.map(({ index, code }) => `${index} ${code}`) : [];
    };
    expect(await codes(imported('twice'))).toEqual(['0 ambiguous-name']);
    expect(await codes(imported('once'), imported('once'))).toEqual(['1 case-exists']);
    expect(await codes(imported('other', {}, { id }))).toEqual(['0 case-exists']);
    expect(await codes(imported('a', {}, { id: randomUUID() }))).toEqual([]);
  });

  test('come out as they went in, 2,500 of them with mocks', async () => {
    const some = Array.from({ length: 2500 }, (_, index) =>
      imported(
        `case ${index}`,
        { user_context: { index } },
        { id: randomUUID(), mocks: index % 2 === 0 ? [MOCK] : [] },
      ),
    );
    await cases().import(some, CREATE);
    const out = await cases().selected({});
    expect(out.map(({ id, fields }) => [id, fields])).toEqual(some.map(({ id, fields }) => [id, fields]));
    expect(out.map(({ createdAt }) => createdAt)).toEqual(out.map(({ createdAt }) => createdAt).toSorted());
    expect(await cases().mocks(out[0]?.id ?? '')).toEqual([MOCK]);
  });

  test('are refused where two would be made of one name, which the next import could not tell apart', async () => {
    const byName = { onConflict: 'replace', match: 'name' } as const;
    const some = [imported('x'), imported('y'), imported('x', {}, { id: randomUUID() })];
    expect(await cases().import(some, byName)).toEqual({
      problems: [{ index: 2, code: 'case-exists', message: 'case 1 of the import is also named "x"' }],
    });
    expect(await select({})).toEqual([]);
  });

  test('have no new id in a dry run, because the import makes another one', async () => {
    const id = randomUUID();
    const some = [imported('x'), imported('y', {}, { id })];
    expect(await cases().import(some, { ...CREATE, isDryRun: true })).toEqual({
      items: [{ result: 'created' }, { id, result: 'created' }],
    });
  });
});
