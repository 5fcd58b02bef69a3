import { expect, test } from 'vitest';

import { onServedStores } from '../../test/support/served-store.ts';

const LISTS = [
  ['/test-cases', {}],
  ['/case-sets', {}],
  ['/agents', { config: { type: 'http', url: 'https://agent.test/turn' } }],
] as const;

onServedStores('lists', ({ ask }) => {
  test.each(LISTS)('%s are sorted as the request says, in pages', async (list, more) => {
    for (const name of ['b', 'a', 'C']) await ask('POST', list, { body: { name, ...more } });
    const names = async (sort: string) => {
      const found: string[] = [];
      for (let cursor = ''; ;) {
        const { body } = await ask('GET', `${list}?limit=1${sort}${cursor}`);
        found.push(...body.data.map(({ name }) => name));
        if (body.next_cursor === null) return found.join('');
        cursor = `&cursor=${body.next_cursor}`;
      }
    };
    expect(await names('')).toBe('baC');
    expect(await names('&sort=created_at')).toBe('baC');
    expect(await names('&sort=-created_at')).toBe('Cab');
    expect(await names('&sort=name')).toBe('Cab');
    expect(await names('&sort=-name')).toBe('baC');
    expect(await names('&sort=-updated_at')).toBe('Cab');
    const { status, body } = await ask('GET', `${list}?sort=-nmae`);
    expect([status, body.error.param, body.error.hint]).toEqual([400, 'sort', 'did you mean -name?']);
  });

  test('of accounts and tokens are sorted by their age, in pages', async () => {
    const account = (name: string) => ({ email: `${name}@example.com`, role: 'viewer' });
    const ids: unknown[] = [];
    for (const name of ['a', 'b', 'c'])
      ids.push((await ask('POST', '/accounts', { body: account(name) })).body.id);
    const [owner] = ids;
    const tokens: unknown[] = [];
    for (const name of ['x', 'y', 'z'])
      tokens.push((await ask('POST', '/tokens', { body: { account: owner, name } })).body.id);
    const listed = async (path: '/accounts?' | `/tokens?${string}&`, sort: string) => {
      const found: unknown[] = [];
      for (let cursor = ''; ;) {
        const { body } = await ask('GET', `${path}limit=1&sort=${sort}${cursor}`);
        found.push(...body.data.map(({ id }) => id));
        if (body.next_cursor === null) return found;
        cursor = `&cursor=${body.next_cursor}`;
      }
    };
    const mine = (found: readonly unknown[]) => found.filter((id) => ids.includes(id));
    expect(mine(await listed('/accounts?', 'created_at'))).toEqual(ids);
    expect(mine(await listed('/accounts?', '-created_at'))).toEqual(ids.toReversed());
    const own = `/tokens?account=${String(owner)}&` as const;
    expect(await listed(own, 'created_at')).toEqual(tokens);
    expect(await listed(own, '-created_at')).toEqual(tokens.toReversed());
    const { status, body } = await ask('GET', '/accounts?sort=name');
    expect([status, body.error.param]).toEqual([400, 'sort']);
  });

  test('of members are sorted by name where the request says so, else as the set has them', async () => {
    const ids: string[] = [];
    for (const name of ['b', 'a'])
      ids.push((await ask('POST', '/test-cases', { body: { name } })).body.id as string);
    const set = (await ask('POST', '/case-sets', { body: { name: 'smoke' } })).body;
    const body = ids.map((id) => ({ test_case_id: id }));
    await ask('POST', `/case-sets/${set.id}/members`, { body });
    const names = async (sort: string) =>
      (await ask('GET', `/test-cases?set=smoke${sort}`)).body.data.map(({ name }) => name);
    expect([await names(''), await names('&sort=name')]).toEqual([
      ['b', 'a'],
      ['a', 'b'],
    ]);
  });
});
