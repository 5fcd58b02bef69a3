import { expect, test } from 'vitest';

import { onServedStores } from '../../test/support/served-store.ts';

/** No clock of a test reaches it: each write after it is within one microsecond of the one before. */
const LATER = '2999-01-01T00:00:00.000000Z';

interface Written {
  readonly resource: '/test-cases' | '/case-sets' | '/agents' | '/metrics';
  readonly table: string;
  readonly made: object;
  /** Of the resource; default: itself. */
  readonly part?: string;
  readonly method: string;
  change(number: number): unknown;
}

const CASE = { resource: '/test-cases', table: 'test_case', made: { name: 'x' } } as const;
const SET = { resource: '/case-sets', table: 'case_set', made: { name: 'x' } } as const;
const AGENT = {
  resource: '/agents',
  table: 'agent',
  made: { name: 'x', config: { type: 'http', url: 'http://127.0.0.1:9' } },
} as const;
const METRIC = { kind: 'binary', rubric: 'r', default_weight: 1 };

const described = (number: number) => ({ description: `write ${number}` });

const WRITTEN: Readonly<Record<string, Written>> = {
  'a case': { ...CASE, method: 'PATCH', change: described },
  'the mocks of a case': {
    ...CASE,
    part: '/mocks',
    method: 'PUT',
    change: (number) => [{ tool: 'look', result: number }],
  },
  'a set': { ...SET, method: 'PATCH', change: described },
  'the members of a set': { ...SET, part: '/members', method: 'PUT', change: () => [] },
  'an agent': { ...AGENT, method: 'PATCH', change: described },
  'a metric': {
    resource: '/metrics',
    table: 'metric',
    made: { id: 'x', ...METRIC },
    method: 'PUT',
    change: (number) => ({ ...METRIC, rubric: `write ${number}` }),
  },
};

onServedStores('two writes within a microsecond', ({ ask, database }) => {
  test.each(Object.entries(WRITTEN))(
    'of %s have ETags in their order, and a stale one is refused',
    async (_, { resource, table, made, part = '', method, change }) => {
      const { body } = await ask('POST', resource, { body: made });
      await database().transaction(async ({ script }) => {
        await script('set local session_replication_role = replica');
        await script(`update ${table} set updated_at = '${LATER}'`);
      });
      const path = `${resource}/${body.id}${part}`;
      const write = async (etag: string, number: number) => {
        const headers = { 'If-Match': etag };
        const answer = await ask(method, path, { body: change(number), headers });
        return { status: answer.status, etag: answer.headers.get('etag') ?? '', body: answer.body };
      };
      const first = (await ask('GET', path)).headers.get('etag') ?? '';
      const one = await write(first, 1);
      const two = await write(one.etag, 2);
      const stale = await write(one.etag, 3);
      expect([one.status, two.status, stale.status, stale.body.error.code]).toEqual([200, 200, 412, 'stale']);
      const etags = [first, one.etag, two.etag];
      expect(etags).toEqual([...new Set(etags)].toSorted());
      expect(etags.map((etag) => etag.slice(0, -'000Z"'.length))).toEqual(
        etags.map(() => '"2999-01-01T00:00:00.000'),
      );
      expect((await ask('GET', path)).headers.get('etag')).toBe(two.etag);
    },
  );
});

const LONG_AGO = Date.parse('1999-01-01T00:00:00Z');

onServedStores(
  'a server whose clock is wrong',
  ({ ask, database }) => {
    test('has the times of its database on all that it keeps', async () => {
      const [before] = await database().query<{ time: string }>('select clock_timestamp() as time');
      const resources = [CASE, SET, AGENT, { resource: '/metrics', made: { id: 'x', ...METRIC } }] as const;
      const answers = await Promise.all(
        resources.map(({ resource, made }) => ask('POST', resource, { body: made })),
      );
      const changed = answers.map(({ body }) => [body.created_at ?? '', body.updated_at ?? '']);
      const [after] = await database().query<{ time: string }>('select clock_timestamp() as time');
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      expect(
        changed.flat().filter((time) => time < (before?.time ?? '') || time > (after?.time ?? '')),
      ).toEqual([]);
    });
  },
  { now: () => LONG_AGO },
);
