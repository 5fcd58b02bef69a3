import { existsSync } from 'node:fs';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { sharedDatabase, type SharedDatabase } from '../support/databases.ts';
import { openProject, type Files, type Project } from './support/project.ts';
import { until } from './support/until.ts';

let postgres: SharedDatabase;
beforeAll(async () => {
  postgres = await sharedDatabase('empty');
});
afterAll(() => postgres.end());

/** An agent that answers when there is a file `go`. */
const files: Files = {
  'assay.config.json': {
    targets: { bot: { type: 'cli', command: ['sh', './agent.sh'] } },
    user: { type: 'scripted', messages: [] },
    judge: { metrics: [] },
    run: { seed: 3, concurrency: 2, expectations: [{ type: 'contains', value: 'right' }] },
  },
  'agent.sh':
    'read -r question; echo "$question" >> asked.txt; while [ ! -e go ]; do sleep 0.05; done; echo right',
  'cases.json': [1, 2, 3].map((number) => ({ name: `${number}`, initial_message: `question ${number}\n` })),
};

const asked = (project: Project) =>
  existsSync(project.path('asked.txt')) ? project.read('asked.txt').trim().split('\n').length : 0;

/** A busy machine takes long to start programs. */
const PATIENCE_MS = 300_000;

interface Summary {
  readonly id: string;
  readonly state: string;
  readonly totals: { readonly counts: Readonly<Record<string, number>> };
}

test(
  'a run of a terminal is cancelled through a server on the same database',
  async () => {
    await using project = openProject(files);
    const environment = { DATABASE_URL: postgres.url };
    const assay = (...args: readonly string[]) => project.start(args, environment).ended;
    await assay('db', 'migrate');
    await assay('cases', 'import', 'cases.json');
    const running = project.start(['run', '--stored', '--ci'], environment);
    await until('two trials are running', () => asked(project) === 2);

    const server = project.start(['serve', '--port', '0'], environment);
    await until('its address', () => server.printed().includes('Ctrl-C'));
    const address = `${/http:\S+?(?=\/?\s)/.exec(server.printed())?.[0]}/api/v1`;
    const { data } = (await (await fetch(`${address}/runs`)).json()) as { readonly data: readonly Summary[] };
    const [{ id, state } = { id: '', state: '' }] = data;
    const cancelled = await fetch(`${address}/runs/${id}/cancel`, { method: 'POST' });
    expect([state, cancelled.status]).toEqual(['running', 202]);

    const ended = await running.ended;
    expect([ended.code, ended.stderr]).toEqual([3, '']);
    expect(ended.stdout).toContain('Cancelled over the API: running trials end now');
    const run = (await (await fetch(`${address}/runs/${id}`)).json()) as Summary;
    expect([run.state, run.totals.counts]).toMatchObject(['stopped', { total: 3, cancelled: 2, skipped: 1 }]);

    server.kill('SIGINT');
    expect((await server.ended).code).toBe(0);
    expect(await project.orphans()).toEqual([]);
  },
  PATIENCE_MS,
);
