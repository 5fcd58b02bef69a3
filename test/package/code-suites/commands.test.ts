import { expect, test } from 'vitest';

import { newestRun } from '../../e2e/support/project.ts';
import { claudeTurn } from '../../support/claude-lines.ts';
import { ISOLATED, played, reasonsIn, suite } from '../support/suites.ts';

const runs = (...commands: string[]) => ({ after: claudeTurn({ answer: 'done', commands }) });

test('commands are matched by what they run, and not by what surrounds it', async () => {
  await using project = played({
    plans: () => ({
      agent: {
        byPrompt: {
          filter: runs('cd app && pnpm test --filter web'),
          hidden: runs('bash -lc "ls; rm -rf x"'),
          more: runs('pnpm test && curl x'),
          order: runs('pnpm build && pnpm test'),
        },
      },
    }),
    files: {
      'a.suite.ts': suite(
        {
          filter: `assert(report) {
            assert.commands.includes(report, commandMatcher('pnpm').arg('test').option('--filter', 'web'));
            assert.commands.includes(report, 'cd app &&');
          }`,
          hidden: `assert(report) { assert.commands.notIncludes(report, commandMatcher('rm')); }`,
          more: `assert(report) { assert.commands.only(report, [commandMatcher('pnpm')]); }`,
          order: `assert(report) {
            const pnpm = (script) => commandMatcher('pnpm').arg(script);
            assert.commands.before(report, pnpm('build'), pnpm('test'));
            assert.throws(() => assert.commands.before(report, pnpm('test'), pnpm('build')));
          }`,
        },
        ISOLATED,
      ),
    },
  });
  expect((await project.assay('run')).code).toBe(1);
  const read = (...leaves: string[]) => leaves.map((leaf) => `(${leaf})`).join(' and ');
  const rm = `bash -lc "ls; rm -rf x" read as ${read('executable="ls"', 'executable="rm", positionals=["x"], options={-r: [<flag>], -f: [<flag>]}')}`;
  const curl = `pnpm test && curl x read as ${read('executable="pnpm", positionals=["test"]', 'executable="curl", positionals=["x"]')}`;
  expect(reasonsIn(newestRun(project))).toEqual([
    `Expected no command matching (executable="rm"). Unexpected: ${rm} Observed commands: ${rm}`,
    `Expected only commands matching (executable="pnpm"). Unexpected: ${curl} Observed commands: ${curl}`,
  ]);
});

test('the message stands first and the commands that were seen last', async () => {
  await using project = played({
    files: {
      'a.suite.ts': suite({
        none: `assert(report) { assert.commands.includes(report, 'pnpm', { message: 'Use pnpm' }); }`,
      }),
    },
  });
  expect((await project.assay('run')).code).toBe(1);
  expect(reasonsIn(newestRun(project))).toEqual([
    'Use pnpm. Expected a command matching "pnpm". Observed commands: cat SKILL.md',
  ]);
});
