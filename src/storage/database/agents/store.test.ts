import { randomUUID } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { onBothDatabases } from '../../../../test/support/databases.ts';
import { nextMoment } from '../../../../test/support/next-moment.ts';
import type { KeptAgent, NewAgent } from '../../../core/agent-store.ts';
import type { ToolMock } from '../../../core/test-case.ts';
import { sqlState } from '../database.ts';
import { databaseAgents } from './store.ts';

const CONFIG = { type: 'http', url: 'https://agent.test/turn', headers: { z: '\u0000\ud800', a: '1' } };
const MOCK: ToolMock = { tool: 'look', match: 'any', answer: { result: { z: '\u0000', a: [1] } } };

onBothDatabases('agents', (database) => {
  const agents = () => databaseAgents(database());
  const make = async (more: Partial<NewAgent> = {}): Promise<KeptAgent> => {
    const first = { name: 'desk', description: null, config: CONFIG, note: null, createdBy: null };
    const made = await agents().create({ ...first, ...more });
    if (made.outcome !== 'written') throw new Error(made.outcome);
    return made.agent;
  };
  const version = (url: string, note: string | null = null) => ({
    config: { ...CONFIG, url },
    note,
    createdBy: null,
  });

  describe('of a store', () => {
    test('are made with version 1, and found by id and exact name', async () => {
      const made = await make({ description: 'Answers', note: 'first' });
      expect(made).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        name: 'desk',
        description: 'Answers',
        version: 1,
        archivedAt: null,
      });
      const found = await Promise.all(['desk', made.id, made.id.toUpperCase()].map(agents().called));
      expect(found).toEqual([made, made, made]);
      expect(await agents().called('Desk')).toBeUndefined();
      const first = await agents().version(made.id, 1);
      expect(first).toEqual({
        agentId: made.id,
        version: 1,
        config: CONFIG,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        note: 'first',
        createdBy: null,
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      });
      expect(JSON.stringify(first?.config)).toBe(JSON.stringify(CONFIG));
    });

    test('have names of their own, which never change', async () => {
      const { id } = await make();
      const again = { name: 'desk', description: null, config: CONFIG, note: null, createdBy: null };
      const made = await Promise.all([agents().create(again), agents().create({ ...again, name: 'new' })]);
      expect(made.map(({ outcome }) => outcome)).toEqual(['name-taken', 'written']);
      const renamed = database().query(`update agent set name = 'x' where id = $1::uuid`, [id]);
      await expect(renamed.catch(sqlState)).resolves.toBe('23001');
    });

    test('are described, archived and taken back by who knows them as they are', async () => {
      const made = await make();
      const described = await agents().change(made.id, { description: 'd' }, made.updatedAt);
      if (described.outcome !== 'written') throw new Error(described.outcome);
      expect(described.agent).toEqual({ ...made, description: 'd', updatedAt: described.agent.updatedAt });
      expect(described.agent.updatedAt > made.updatedAt).toBe(true);
      expect(await agents().change(made.id, { isArchived: true }, made.updatedAt)).toEqual({
        outcome: 'stale',
        agent: described.agent,
      });
      const archived = await agents().change(made.id, { isArchived: true });
      const back = await agents().change(made.id, { isArchived: false, description: null });
      expect([archived, back]).toMatchObject([
        { agent: { archivedAt: expect.stringMatching(/Z$/), description: 'd' } },
        { agent: { archivedAt: null, description: null } },
      ]);
      expect(await agents().change(randomUUID(), {})).toEqual({ outcome: 'unknown' });
      expect(await agents().change('no id', {})).toEqual({ outcome: 'unknown' });
    });

    test('come in pages, oldest first', async () => {
      for (const name of ['a', 'b', 'c']) {
        await make({ name });
        await nextMoment(database());
      }
      const [first, second] = await agents().list({ limit: 2 });
      const rest = await agents().list({
        limit: 2,
        after: { value: second?.createdAt ?? '', id: second?.id ?? '' },
      });
      expect([first, second, ...rest].map((agent) => agent?.name)).toEqual(['a', 'b', 'c']);
      await agents().change(first?.id ?? '', { isArchived: true });
      const some = async (isArchived: boolean) =>
        (await agents().list({ limit: 9, isArchived })).map(({ name }) => name);
      expect([await some(true), await some(false)]).toEqual([['a'], ['b', 'c']]);
    });
  });

  describe('have versions', () => {
    test('that only another config makes', async () => {
      const made = await make();
      const second = await agents().addVersion(made.id, version('https://b.test', 'moved'));
      if (second.outcome !== 'written') throw new Error(second.outcome);
      expect(second.agent).toEqual({ ...made, version: 2, updatedAt: second.agent.updatedAt });
      expect(second.agent.updatedAt > made.updatedAt).toBe(true);
      expect(second.version).toMatchObject({ version: 2, note: 'moved' });
      const { url, ...rest } = version('https://b.test').config;
      const same = { ...version('', 'again'), config: { ...rest, url } };
      expect(await agents().addVersion(made.id, same)).toEqual({ ...second, outcome: 'unchanged' });
      const third = await agents().addVersion(made.id, version(CONFIG.url));
      expect(third).toMatchObject({ outcome: 'written', version: { version: 3 } });
      const numbers = async (page: { limit: number; before?: number }) =>
        (await agents().versions(made.id, page)).map((each) => each.version);
      expect(await numbers({ limit: 2 })).toEqual([3, 2]);
      expect(await numbers({ limit: 2, before: 2 })).toEqual([1]);
      expect((await agents().version(made.id, 1))?.digest).toBe((await agents().version(made.id, 3))?.digest);
    });

    test('that cannot be changed or removed', async () => {
      await make();
      for (const sql of [`update agent_version set note = 'x'`, 'delete from agent_version']) {
        await expect(database().query(sql).catch(sqlState)).resolves.toBe('23001');
      }
    });

    test('one after the other when several add at the same time', async () => {
      const { id } = await make();
      const urls = ['https://a.test', 'https://b.test', 'https://c.test', 'https://c.test'];
      const added = await Promise.all(urls.map((url) => agents().addVersion(id, version(url))));
      const made = added.flatMap((each) => (each.outcome === 'written' ? [each.version.version] : []));
      expect(made.toSorted()).toEqual(Array.from({ length: made.length }, (_, index) => index + 2));
      expect((await agents().called(id))?.version).toBe(made.length + 1);
    });

    test('only where there is such an agent and such a version', async () => {
      const { id } = await make();
      expect(await agents().addVersion(randomUUID(), version('https://b.test'))).toEqual({
        outcome: 'unknown',
      });
      const unknown = [
        agents().version(id, 2),
        agents().version(id, 0.5),
        agents().version(id, 1e12),
        agents().version('no id', 1),
      ];
      expect(await Promise.all(unknown)).toEqual([undefined, undefined, undefined, undefined]);
      expect(await agents().versions(randomUUID(), { limit: 9 })).toEqual([]);
      expect(await agents().versions('no id', { limit: 9 })).toEqual([]);
    });
  });

  test('have mocks in order, which change when the agent was changed', async () => {
    const made = await make();
    const mocks = [MOCK, { ...MOCK, tool: 'act', times: 1 }];
    const first = await agents().replaceMocks(made.id, mocks, made.updatedAt);
    if (first.outcome !== 'written') throw new Error(first.outcome);
    expect(await agents().mocks(made.id)).toEqual(mocks);
    expect(first.agent.updatedAt > made.updatedAt).toBe(true);
    expect((await agents().replaceMocks(made.id, [], made.updatedAt)).outcome).toBe('stale');
    const second = await agents().replaceMocks(made.id, []);
    const third = await agents().replaceMocks(made.id, []);
    if (second.outcome !== 'written' || third.outcome !== 'written') throw new Error('it is written');
    expect(third.agent.updatedAt > second.agent.updatedAt).toBe(true);
    expect([await agents().mocks(made.id), await agents().mocks('no id')]).toEqual([[], []]);
    expect(await agents().replaceMocks(randomUUID(), [])).toEqual({ outcome: 'unknown' });
  });
});
