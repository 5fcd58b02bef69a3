import { expect, test } from 'vitest';

import type { Refusal } from '../../test/support/answered.ts';
import { onServedStores, type Answered } from '../../test/support/served-store.ts';
import { uploadOf } from '../../test/support/uploaded-run.ts';
import type { Route } from '../api/route.ts';
import { table } from '../api/table.ts';
import { issueToken } from '../app/access/api-token.ts';
import type { Role } from '../core/access.ts';
import { ended, of, rowOf } from '../storage/run-directory/fixtures/runs.ts';

/** What a viewer may do besides reading. */
const OF_VIEWERS = ['POST /runs/{run}/trials/{trial}/reviews', 'POST /session', 'DELETE /session'];

const OF_ADMINS = /^\/(?:accounts|database)(?:\/|$)/;

const routes: readonly Route[] = Object.values(table);
const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

const SHAPE = ['code', 'current', 'hint', 'message', 'param', 'problems', 'request_id'];

onServedStores(
  'roles on a server with tokens',
  ({ ask, store, url }) => {
    const signedIn = async (role: Role) => {
      const account = await store().accounts.add({ email: `${role}@example.com`, role });
      const { token, hash } = issueToken();
      await store().tokens.create({ accountId: account?.id ?? '', name: 'test', role, sha256: hash });
      return { Authorization: `Bearer ${token}` };
    };
    const asked = async (
      { method, path, ifMatch, upload, sends }: Route,
      headers: Record<string, string>,
    ): Promise<Answered<Refusal | string>> => {
      const place = path.replaceAll(/\{\w+\}/g, 'x');
      const type = upload?.types[0] ?? 'application/json';
      const version: Record<string, string> = ifMatch === true ? { 'If-Match': '*' } : {};
      const sent = { headers: { ...headers, ...version, 'Content-Type': type } };
      const answer = await fetch(`${url()}/api/v1${place}`, {
        method,
        ...sent,
        ...(method === 'GET' ? {} : { body: '{}' }),
      });
      if (answer.ok) {
        await answer.body?.cancel();
        return { status: answer.status, headers: answer.headers, body: sends };
      }
      return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Refusal };
    };
    const refusedTo = async (role: Role): Promise<readonly string[]> => {
      const headers = await signedIn(role);
      const answers = await Promise.all(
        routes.map(async (route) => [nameOf(route), await asked(route, headers)] as const),
      );
      return answers.flatMap(([name, { status, body }]) =>
        status === 403 && (body as { error: { code: string } }).error.code === 'forbidden' ? [name] : [],
      );
    };

    test('let viewers read all but accounts and the database, and write nothing but reviews', async () => {
      const meant = routes.filter(
        (route) =>
          OF_ADMINS.test(route.path) || (route.method !== 'GET' && !OF_VIEWERS.includes(nameOf(route))),
      );
      expect(await refusedTo('viewer')).toEqual(meant.map(nameOf));
    });

    test('let members do all but look after accounts and the database', async () => {
      const meant = routes.filter(({ path }) => OF_ADMINS.test(path));
      expect(await refusedTo('member')).toEqual(meant.map(nameOf));
    });

    test('let a viewer review a trial and change nothing of it', async () => {
      const headers = await signedIn('viewer');
      const lines = uploadOf([of('a', { type: 'trial-start', number: 1 }), ended(rowOf('a'))]);
      const sent = await fetch(`${url()}/api/v1/runs/upload`, {
        method: 'POST',
        headers: { ...(await signedIn('member')), 'Content-Type': 'application/x-ndjson' },
        body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
      });
      const { run } = (await sent.json()) as { readonly run: string };
      const body = { verdict: 'passed', seen_judge: false };
      const review = await ask('POST', `/runs/${run}/trials/1/reviews`, { body, headers });
      const named = { body: { name: 'x' }, headers: { ...headers, 'If-Match': '*' } };
      const change = await ask('PATCH', `/runs/${run}`, named);
      expect([review.status, change.status]).toEqual([201, 403]);
    });

    test('get errors of one shape, without a stack and without SQL', async () => {
      const headers = await signedIn('admin');
      const answers = await Promise.all([
        ...routes.map((route) => asked(route, headers)),
        ...routes.map((route) => asked(route, {})),
      ]);
      const errors = answers.flatMap(({ status, body }) =>
        typeof body === 'string' ? [] : [{ status, body }],
      );
      expect(errors.length).toBeGreaterThan(routes.length);
      for (const { status, body } of errors) {
        expect(Object.keys(body)).toEqual(['error']);
        expect(Object.keys(body.error).filter((key) => !SHAPE.includes(key))).toEqual([]);
        expect(body.error).toMatchObject({
          code: expect.stringMatching(/^[a-z][a-z0-9-]*$/),
          message: expect.any(String),
          request_id: expect.any(String),
        });
        expect(status).toBeLessThan(500);
        expect(JSON.stringify(body)).not.toMatch(
          /\bat .*:\d+:\d+|node_modules|\bselect \w+ from\b|relation "/,
        );
      }
    });
  },
  'token',
);
