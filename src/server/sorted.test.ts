import { expect, test } from 'vitest';

import { onServedStores } from '../../test/support/served-store.ts';

const BODIES: Readonly<Record<string, object>> = {
  '/test-cases': {},
  '/case-sets': {},
  '/agents': { config: { type: 'http', url: 'https://agent.test/turn' } },
};

onServedStores('lists', ({ ask }) => {
  test.each(Object.keys(BODIES))('%s are sorted as the request says, in pages', async (list) => {
    for (const name of ['b', 'a', 'C']) await ask('POST', list, { body: { name, ...BODIES[list] } });
    const names = async (sort: string) => {
      const found: string[] = [];
      for (let cursor = ''; ;) {
        const { body } = await ask('GET', `${list}?limit=1${sort}${cursor}`);
        found.push(...body.data.map(({ name }: { name: string }) => name));
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

  test('of members are sorted by name where the request says so, else as the set has them', async () => {
    const ids: string[] = [];
    for (const name of ['b', 'a'])
      ids.push((await ask('POST', '/test-cases', { body: { name } })).body.id as string);
    const set = (await ask('POST', '/case-sets', { body: { name: 'smoke' } })).body;
    const body = ids.map((id) => ({ test_case_id: id }));
    await ask('POST', `/case-sets/${set.id}/members`, { body });
    const names = async (sort: string) =>
      (await ask('GET', `/test-cases?set=smoke${sort}`)).body.data.map(({ name }: { name: string }) => name);
    expect([await names(''), await names('&sort=name')]).toEqual([
      ['b', 'a'],
      ['a', 'b'],
    ]);
  });
});
