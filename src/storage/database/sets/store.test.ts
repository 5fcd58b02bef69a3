import { randomUUID } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { onBothDatabases } from '../../../../test/support/databases.ts';
import { nextMoment } from '../../../../test/support/next-moment.ts';
import type { CaseSetWrite, KeptCaseSet, MembersWrite, SetMember } from '../../../core/case-set-store.ts';
import type { CaseCursor, KeptCase } from '../../../core/case-store.ts';
import { caseOf } from '../cases/fixtures/cases.ts';
import { databaseCases } from '../cases/store.ts';
import { databaseSets } from './store.ts';

onBothDatabases('sets', (database) => {
  const sets = () => databaseSets(database());
  const cases = () => databaseCases(database());
  const make = async (name = 'smoke') => setOf(await sets().create({ name, description: null }));
  const newCase = async (name: string, written = {}) => (await cases().create(caseOf(name, written))).id;
  const listOf = (...ids: readonly string[]): readonly SetMember[] =>
    ids.map((caseId) => ({ caseId, repetitions: 1 }));
  const versionOf = (write: CaseSetWrite | MembersWrite) => setOf(write).version;

  describe('of a store', () => {
    test('are made with version 1, and found by id and exact name', async () => {
      const made = setOf(await sets().create({ name: 'smoke', description: 'Each day' }));
      expect(made).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        name: 'smoke',
        description: 'Each day',
        version: 1,
        archivedAt: null,
      });
      const found = await Promise.all(['smoke', made.id, made.id.toUpperCase()].map(sets().called));
      expect(found).toEqual([made, made, made]);
      expect(await Promise.all(['Smoke', 'smok', randomUUID()].map(sets().called))).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect(await sets().create({ name: 'smoke', description: null })).toEqual({ outcome: 'name-taken' });
    });

    test('are found by their id before another one that is named like it', async () => {
      const first = await make();
      const other = await make(first.id);
      expect((await sets().called(first.id))?.id).toBe(first.id);
      expect((await sets().called(other.id))?.name).toBe(first.id);
    });

    test('are renamed, described, archived and taken back', async () => {
      const made = await make();
      const renamed = setOf(
        await sets().change(made.id, { name: 'nightly', description: 'd' }, made.updatedAt),
      );
      expect(renamed).toEqual({ ...made, name: 'nightly', description: 'd', updatedAt: renamed.updatedAt });
      expect(renamed.updatedAt > made.updatedAt).toBe(true);
      const archived = setOf(await sets().change(made.id, { isArchived: true }));
      expect(archived.archivedAt).toMatch(/^\d{4}-.*Z$/);
      const again = setOf(await sets().change(made.id, { isArchived: true }));
      expect(again.archivedAt).toBe(archived.archivedAt);
      const back = setOf(await sets().change(made.id, { isArchived: false }));
      expect([back.archivedAt, back.name, back.description, back.version]).toEqual([null, 'nightly', 'd', 1]);
    });

    test('are written only by who knows them as they are', async () => {
      const made = await make();
      await make('other');
      expect(await sets().change(made.id, { name: 'other' })).toEqual({ outcome: 'name-taken' });
      const now = setOf(await sets().change(made.id, { description: 'd' }));
      expect(await sets().change(made.id, { name: 'x' }, made.updatedAt)).toEqual({
        outcome: 'stale',
        set: now,
      });
      expect(await sets().replaceMembers(made.id, [], made.updatedAt)).toEqual({
        outcome: 'stale',
        set: now,
      });
      expect(await sets().change(randomUUID(), {})).toEqual({ outcome: 'unknown' });
      expect(await sets().change('no id', {})).toEqual({ outcome: 'unknown' });
      expect(await sets().addMembers(randomUUID(), [])).toEqual({ outcome: 'unknown' });
    });

    test('come in pages, oldest first, that stay right while sets are added', async () => {
      const names = Array.from({ length: 7 }, (_, index) => `set ${index}`);
      for (const name of names) {
        await make(name);
        await nextMoment(database());
      }
      const found: KeptCaseSet[] = [];
      for (let last: KeptCaseSet | undefined; ; last = found.at(-1)) {
        const after = last && { value: last.createdAt, id: last.id };
        const page = await sets().list({ limit: 3, after });
        found.push(...page);
        if (page.length < 3) break;
        if (found.length === 3) await make('added');
      }
      expect(found.map(({ name }) => name)).toEqual([...names, 'added']);
      await sets().change(found[0]?.id ?? '', { isArchived: true });
      const some = async (isArchived: boolean) =>
        (await sets().list({ limit: 20, isArchived })).map(({ name }) => name);
      expect(await some(true)).toEqual(['set 0']);
      expect(await some(false)).toEqual([...names.slice(1), 'added']);
    });
  });

  describe('have members', () => {
    test('whose changes count the version, and nothing else does', async () => {
      const { id } = await make();
      const [a, b] = [await newCase('a'), await newCase('b')];
      const versions = [
        await sets().addMembers(id, listOf(a, b)),
        await sets().replaceMembers(id, listOf(a, b)),
        await sets().replaceMembers(id, listOf(b, a)),
        await sets().replaceMembers(id, [{ caseId: b, repetitions: 2 }, ...listOf(a)]),
        await sets().removeMember(id, a),
        await sets().change(id, { name: 'renamed' }),
      ].map(versionOf);
      expect(versions).toEqual([2, 2, 3, 4, 5, 5]);
      expect(await sets().members(id)).toEqual([{ caseId: b, repetitions: 2 }]);
    });

    test('whose every write is a write of the set', async () => {
      const { id, updatedAt } = await make();
      const a = await newCase('a');
      const times = [updatedAt];
      for (const members of [listOf(a), listOf(a), [], []])
        times.push(setOf(await sets().replaceMembers(id, members)).updatedAt);
      expect(new Set(times).size).toBe(5);
      expect(times).toEqual(times.toSorted());
    });

    test('each of them once, and only cases of the store', async () => {
      const { id } = await make();
      const [a, b, unknown] = [await newCase('a'), await newCase('b'), randomUUID()];
      await sets().addMembers(id, listOf(a));
      const before = await sets().called(id);
      expect(await sets().replaceMembers(id, listOf(b, unknown, 'no id', b))).toEqual({
        outcome: 'refused',
        problems: [
          { index: 1, caseId: unknown, reason: 'unknown' },
          { index: 2, caseId: 'no id', reason: 'unknown' },
          { index: 3, caseId: b, reason: 'duplicate' },
        ],
      });
      expect(await sets().addMembers(id, listOf(b, a))).toEqual({
        outcome: 'refused',
        problems: [{ index: 1, caseId: a, reason: 'duplicate' }],
      });
      expect(await sets().removeMember(id, b)).toEqual({
        outcome: 'refused',
        problems: [{ index: 0, caseId: b, reason: 'no-member' }],
      });
      expect([await sets().called(id), await sets().members(id)]).toEqual([before, listOf(a)]);
      expect(await sets().members(randomUUID())).toEqual([]);
    });

    test('that several add at the same time, and one of those who know the same list replaces', async () => {
      const made = await make();
      const ids = await Promise.all(['a', 'b', 'c', 'd'].map((name) => newCase(name)));
      const added = await Promise.all(ids.map((each) => sets().addMembers(made.id, listOf(each))));
      expect(added.map(versionOf).toSorted((one, other) => one - other)).toEqual([2, 3, 4, 5]);
      expect((await sets().members(made.id)).map(({ caseId }) => caseId).toSorted()).toEqual(ids.toSorted());
      const { updatedAt } = (await sets().called(made.id)) ?? made;
      const replaced = await Promise.all(
        ids.map((each) => sets().replaceMembers(made.id, listOf(each), updatedAt)),
      );
      expect(replaced.map(({ outcome }) => outcome).toSorted()).toEqual([
        'stale',
        'stale',
        'stale',
        'written',
      ]);
    });

    test('that stay when their case is archived', async () => {
      const { id, version } = await make();
      const a = await newCase('a');
      await sets().addMembers(id, listOf(a));
      await cases().replace(a, caseOf('a', { status: 'archived' }));
      expect([await sets().members(id), (await sets().called(id))?.version]).toEqual([
        listOf(a),
        version + 1,
      ]);
    });

    test('2,000 at once', async () => {
      const { id } = await make();
      await database().script(
        `insert into test_case (name) select 'case ' || n from generate_series(1, 2000) as n`,
      );
      const members = (await cases().selected({})).map(({ id: caseId }) => ({ caseId, repetitions: 1 }));
      expect(versionOf(await sets().replaceMembers(id, members))).toBe(2);
      expect(versionOf(await sets().replaceMembers(id, members.toReversed()))).toBe(3);
      expect(await sets().members(id)).toEqual(members.toReversed());
    });
  });

  describe('that are selected', () => {
    const named = (list: readonly KeptCase[]) =>
      list.map(({ fields: { name }, member }) => `${name} ${member?.position} x${member?.repetitions}`);

    test('give their members in order, whatever their status, with their repetitions', async () => {
      const { id } = await make();
      const a = await newCase('a', { tags: ['x'] });
      const b = await newCase('b', { status: 'archived', description: 'Refund', tags: ['x'] });
      const c = await newCase('c', { status: 'draft' });
      await newCase('d');
      await sets().replaceMembers(id, [{ caseId: c, repetitions: 2 }, ...listOf(b, a)]);
      const select = async (selector: object) => named(await cases().selected({ set: 'smoke', ...selector }));
      const all = ['c 0 x2', 'b 1 x1', 'a 2 x1'];
      expect(await select({})).toEqual(all);
      expect(await select({ set: id.toUpperCase() })).toEqual(all);
      expect(await select({ ids: ['a', c, 'd'] })).toEqual(['c 0 x2', 'a 2 x1']);
      expect(await select({ tagAny: ['x'] })).toEqual(['b 1 x1', 'a 2 x1']);
      expect(await select({ tagAll: ['x'], search: 'refund' })).toEqual(['b 1 x1']);
      expect(await select({ set: 'other' })).toEqual([]);
      expect((await cases().selected({ ids: ['a'] }))[0]?.member).toBeUndefined();
    });

    test('come in pages that stay right while members are added and removed', async () => {
      const { id } = await make();
      const ids: string[] = [];
      for (const name of ['f', 'e', 'd', 'c', 'b', 'a']) ids.push(await newCase(name));
      const [last = ''] = ids;
      await sets().replaceMembers(id, listOf(...ids.slice(1).toReversed()));
      const found: KeptCase[] = [];
      for (let after: CaseCursor | undefined; ; after = found.at(-1)) {
        const page = await cases().list({ set: id }, { limit: 2, after });
        found.push(...page);
        if (page.length < 2) break;
        await sets().removeMember(id, page.at(-1)?.id ?? '');
        if (found.length === 2) await sets().addMembers(id, listOf(last));
      }
      expect(found.map(({ fields }) => fields.name)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    });
  });
});

function setOf(write: CaseSetWrite | MembersWrite): KeptCaseSet {
  if (write.outcome !== 'written') throw new Error(JSON.stringify(write));
  return write.set;
}
