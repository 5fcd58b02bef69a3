import { describe, expect, test } from 'vitest';

import { BUILT_IN_METRICS } from '../graders/conversation/metrics.ts';
import { onServedStores } from '../../test/support/served-store.ts';

const FIELDS = {
  display_name: 'Tone',
  tier: null,
  kind: 'scored',
  rubric: 'Is it kind?',
  default_weight: 0.5,
};
const TIME = expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/) as string;

onServedStores('metrics', ({ ask }) => {
  const create = (more: object = {}) => ask('POST', '/metrics', { body: { id: 'tone', ...FIELDS, ...more } });
  const put = (etag: string, more: object = {}) =>
    ask('PUT', '/metrics/tone', { body: { ...FIELDS, ...more }, headers: { 'If-Match': etag } });
  const outcome = async (asked: ReturnType<typeof ask>) => {
    const { status, body } = await asked;
    return [status, body.error?.code, body.error?.param].filter((each) => each !== undefined);
  };

  test('are created with defaults, found by id, and changed by who knows them as they are', async () => {
    const created = await ask('POST', '/metrics', {
      body: { id: 'tone', kind: 'binary', rubric: 'r', default_weight: 1 },
    });
    expect([created.status, created.headers.get('location')]).toEqual([201, '/api/v1/metrics/tone']);
    expect(created.body).toEqual({
      id: 'tone',
      origin: 'store',
      display_name: null,
      tier: null,
      kind: 'binary',
      rubric: 'r',
      default_weight: 1,
      archived_at: null,
      created_at: TIME,
      updated_at: TIME,
    });
    const got = await ask('GET', '/metrics/tone');
    const etag = got.headers.get('etag') ?? '';
    expect([got.body, etag]).toEqual([created.body, created.headers.get('etag')]);
    const changed = await put(etag);
    expect(changed.body).toEqual({ ...created.body, ...FIELDS, updated_at: TIME });
    expect(changed.headers.get('etag')).not.toBe(etag);
    const stale = await put(etag, { rubric: 'other' });
    expect([stale.status, stale.body.error.code, stale.body.error.current]).toEqual([
      412,
      'stale',
      changed.body,
    ]);
    expect(await outcome(ask('PUT', '/metrics/tone', { body: FIELDS }))).toEqual([
      428,
      'if-match-missing',
      'If-Match',
    ]);
  });

  test('are archived instead of deleted, and active again when they are replaced', async () => {
    const { headers } = await create();
    const ids = async (query = '') =>
      (await ask('GET', `/metrics?origin=store${query}`)).body.data.map(({ id }: { id: string }) => id);
    const archived = await ask('DELETE', '/metrics/tone', {
      headers: { 'If-Match': headers.get('etag') ?? '' },
    });
    expect([archived.status, archived.body.archived_at]).toEqual([200, TIME]);
    expect([await ids(), await ids('&archived=true'), await ids('&archived=any')]).toEqual([
      [],
      ['tone'],
      ['tone'],
    ]);
    expect(await outcome(create())).toEqual([409, 'metric-exists', null]);
    expect((await put('*')).body.archived_at).toBeNull();
    expect(await ids()).toEqual(['tone']);
  });

  test('of all origins are listed, those that cannot be changed first', async () => {
    await create();
    const listed: { id: string; origin: string }[] = [];
    for (let cursor = ''; ;) {
      const { body } = await ask('GET', `/metrics?limit=3${cursor}`);
      listed.push(...body.data);
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    const ids = (origin: string) => listed.filter((each) => each.origin === origin).map(({ id }) => id);
    const builtIn = BUILT_IN_METRICS.map(({ id }) => id);
    expect(listed.map(({ id }) => id)).toEqual([...builtIn, 'of_config', 'tone']);
    expect([ids('built-in'), ids('config'), ids('store')]).toEqual([builtIn, ['of_config'], ['tone']]);
    expect((await ask('GET', '/metrics?origin=config')).body.data).toEqual([
      {
        id: 'of_config',
        origin: 'config',
        display_name: null,
        tier: null,
        kind: 'binary',
        rubric: 'Of the config.',
        default_weight: 2,
        archived_at: null,
        created_at: null,
        updated_at: null,
      },
    ]);
  });

  test('are listed by page', async () => {
    for (const id of ['c', 'a', 'b']) await create({ id });
    const first = await ask('GET', '/metrics?origin=store&limit=2');
    const rest = await ask('GET', `/metrics?origin=store&limit=2&cursor=${first.body.next_cursor}`);
    const pages = [first, rest].map(({ body }) => body.data.map(({ id }: { id: string }) => id));
    expect([pages, rest.body.next_cursor]).toEqual([[['c', 'a'], ['b']], null]);
    const other = `/metrics?archived=any&cursor=${first.body.next_cursor}`;
    expect(await outcome(ask('GET', other))).toEqual([400, 'cursor-mismatch', 'cursor']);
  });

  test('are listed from the newest, and those that are not of the store last', async () => {
    for (const id of ['c', 'a', 'b']) await create({ id });
    const listed: { id: string }[] = [];
    for (let cursor = ''; ;) {
      const { body } = await ask('GET', `/metrics?sort=-created_at&limit=2${cursor}`);
      listed.push(...body.data);
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    const oldest = (await ask('GET', '/metrics?sort=created_at')).body.data.map(
      ({ id }: { id: string }) => id,
    );
    expect(oldest.slice(-3)).toEqual(['c', 'a', 'b']);
    expect(listed.map(({ id }) => id)).toEqual(oldest.toReversed());
  });

  describe('are refused', () => {
    test.each([
      ['a built-in id', 'tool_routing'],
      ['an id of the config', 'of_config'],
    ])('with %s, whatever is done', async (_, id) => {
      const headers = { 'If-Match': '*' };
      expect(await outcome(create({ id }))).toEqual([409, 'metric-exists', null]);
      expect(await outcome(ask('PUT', `/metrics/${id}`, { body: FIELDS, headers }))).toEqual([
        409,
        'metric-exists',
        null,
      ]);
      expect(await outcome(ask('DELETE', `/metrics/${id}`, { headers }))).toEqual([
        409,
        'metric-exists',
        null,
      ]);
      expect((await ask('GET', `/metrics/${id}`)).body).toMatchObject({ id, updated_at: null });
    });

    test.each([
      [{ id: 'Tone' }, 'id'],
      [{ id: 'a'.repeat(65) }, 'id'],
      [{ kind: 'maybe' }, 'kind'],
      [{ kind: undefined }, 'kind'],
      [{ rubric: ' \n' }, 'rubric'],
      [{ rubric: 'a\u0000' }, 'rubric'],
      [{ default_weight: -1 }, 'default_weight'],
      [{ default_weight: 1e10 }, 'default_weight'],
      [{ default_weight: undefined }, 'default_weight'],
      [{ display_name: '' }, 'display_name'],
      [{ displayName: 'x' }, 'displayName'],
      [{ archived_at: null }, 'archived_at'],
    ])('with %j', async (more, param) => {
      const refused = await create(more);
      expect([refused.status, refused.body.error.param]).toEqual([422, param]);
    });

    test('where they do not exist', async () => {
      expect(await outcome(put('*'))).toEqual([404, 'metric-not-found', null]);
      const headers = { 'If-Match': '*' };
      expect(await outcome(ask('DELETE', '/metrics/tone', { headers }))).toEqual([
        404,
        'metric-not-found',
        null,
      ]);
      const broken = '/metrics/%00%27%3B';
      expect(await outcome(ask('GET', broken))).toEqual([404, 'metric-not-found', null]);
    });
  });
});
