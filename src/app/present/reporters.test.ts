import { resolve } from 'node:path';

import { expect, test } from 'vitest';

import { reportersOf } from './reporters.ts';

async function filesOf(reporters: readonly string[], environment: Record<string, string> = {}) {
  const surroundings = { cwd: '/project', environment };
  const found = await reportersOf([], { presentation: { reporters, ci: true }, surroundings });
  return found.map(({ type, file }) => [type, file]);
}

test('each reporter has its file, and the terminal is always there', async () => {
  const environment = { GITHUB_STEP_SUMMARY: '/summary' };
  expect(await filesOf(['junit=a/j.xml', 'json', 'github'], environment)).toEqual([
    ['terminal', undefined],
    ['junit', resolve('/project/a/j.xml')],
    ['json', undefined],
    ['github', '/summary'],
  ]);
});

test('published names of reporters are known', async () => {
  expect(await filesOf(['standard', 'github-actions=sum.md'])).toEqual([
    ['terminal', undefined],
    ['github', resolve('/project/sum.md')],
  ]);
});

test.each([
  [['junit=out', 'json=./out'], 'the reporters junit and json would both write to /project/out'],
  [['junit='], 'the reporter junit= names no file'],
  [['terminal=out.txt'], 'the terminal reporter cannot write a file'],
])('%j is refused before anything runs: a report would be lost', async (reporters, message) => {
  await expect(filesOf(reporters)).rejects.toMatchObject({ code: 'usage', message });
});
