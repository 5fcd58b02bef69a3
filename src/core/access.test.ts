import { expect, test } from 'vitest';

import { table } from '../api/table.ts';
import { covers, lesserRole, mayManageTokens, neededRole, ROLES, type Role } from './access.ts';

const OPERATIONS: Readonly<Record<Role, readonly string[]>> = {
  viewer: [
    'GET /test-cases',
    'HEAD /test-cases',
    'GET /test-cases/export',
    'GET /case-sets/x/members',
    'GET /agents/x/versions/2',
    'GET /runs/r/events',
    'GET /feed',
    'GET /runs/r/trials/1/reviews',
    'POST /runs/r/trials/1/reviews',
    'GET /reviews',
    'GET /settings',
    'GET /tokens',
    'POST /session',
    'DELETE /session',
  ],
  member: [
    'POST /test-cases',
    'PATCH /test-cases/x',
    'DELETE /test-cases/x',
    'PUT /test-cases/x/mocks',
    'POST /test-cases/import',
    'POST /case-sets',
    'PUT /case-sets/x/members',
    'POST /agents',
    'POST /agents/x/probe',
    'PUT /metrics/x',
    'POST /runs',
    'PATCH /runs/r',
    'POST /runs/r/cancel',
    'POST /runs/r/resume',
    'POST /runs/r/regrade',
    'POST /runs/upload',
    'PUT /attachments/x',
    'POST /baselines',
    'DELETE /baselines/x',
    'POST /tokens',
    'DELETE /tokens/x',
    'POST /runs/reviews/trials',
  ],
  admin: ['GET /accounts', 'POST /accounts', 'PATCH /accounts/x', 'PATCH /settings'],
};

test.each(ROLES)('what a %s may and those below may not', (role) => {
  const needed = OPERATIONS[role].map((operation) => {
    const [method = '', path = ''] = operation.split(' ');
    return [operation, neededRole({ method, path })];
  });
  expect(needed).toEqual(OPERATIONS[role].map((operation) => [operation, role]));
});

test('a viewer may do every read that the API has, but those of accounts and of the database', () => {
  const reads = Object.values(table).filter(({ method }) => method === 'GET');
  const refused = reads.filter((route) => neededRole(route) !== 'viewer');
  expect(refused.map(({ path }) => [path, neededRole({ method: 'GET', path })])).toEqual([
    ['/accounts', 'admin'],
    ['/database', 'admin'],
  ]);
});

test('each role covers itself and those below', () => {
  expect(ROLES.map((role) => ROLES.filter((needed) => covers(role, needed)))).toEqual([
    ['viewer'],
    ['viewer', 'member'],
    ['viewer', 'member', 'admin'],
  ]);
  expect([
    lesserRole('admin', 'viewer'),
    lesserRole('viewer', 'admin'),
    lesserRole('member', 'member'),
  ]).toEqual(['viewer', 'viewer', 'member']);
});

test('tokens are those of oneself, and of anybody for an admin', () => {
  const may = (role: Role, owner: string) => mayManageTokens({ accountId: 'ann', role }, owner);
  expect([may('viewer', 'ann'), may('member', 'bob'), may('admin', 'bob')]).toEqual([true, false, true]);
});
