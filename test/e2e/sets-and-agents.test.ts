import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openStore } from '../../src/app/database.ts';
import type { Store } from '../../src/core/store.ts';
import { caseOf } from '../../src/storage/database/cases/fixtures/cases.ts';
import { prepareMigrated, sharedDatabase, type SharedDatabase } from '../support/databases.ts';
import { openProject, type ProjectHere } from './support/here.ts';
import type { Files } from './support/project.ts';

interface Asked {
  readonly messages: readonly { readonly content: string }[];
}

let server: SharedDatabase;
const agent = createServer((request, response) => {
  void json(request).then((body) => {
    const said = (body as Asked).messages.at(-1)?.content;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ messages: [{ role: 'assistant', content: `${request.url}: ${said}` }] }));
  });
});
let url = '';
beforeAll(async () => {
  server = await sharedDatabase('empty');
  agent.listen(0, '127.0.0.1');
  await once(agent, 'listening');
  url = `http://127.0.0.1:${(agent.address() as AddressInfo).port}`;
});
afterAll(async () => {
  agent.close();
  await server.end();
});

const files: Files = {
  'assay.config.json': {
    targets: { desk: { type: 'mock', response: 'right' } },
    user: { type: 'scripted', messages: [] },
    judge: { model: 'none/none', metrics: [] },
    run: { seed: 3, concurrency: 1, expectations: [{ type: 'contains', value: 'right' }] },
  },
  'cases.json': [{ name: 'one', initial_message: 'right one' }],
};

const CASES = [
  caseOf('one', { initial_message: 'right one' }),
  caseOf('two', { initial_message: 'wrong two' }),
  caseOf('three', { initial_message: 'right three' }),
  caseOf('four', { initial_message: 'right four', status: 'archived' }),
];

/** The commands of one project on one kind of store. */
async function commandsOf(project: ProjectHere, environment: Readonly<Record<string, string>>) {
  if (Object.keys(environment).length === 0) await prepareMigrated(project.path('.assay/data'));
  const assay = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await project.here(args, environment);
    return { code, stdout, stderr };
  };
  return {
    assay,
    /** Writes what only the API can write. */
    async inStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
      const around = { cwd: project.path('.'), environment, now: Date.now, commandLine: [] };
      const store = await openStore(around);
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    },
  };
}

/** The rows of the newest run, its targets and its line. */
async function latest({ runs, listings }: Store) {
  const { run } = await runs.find('latest');
  const rows: [number, string][] = [];
  for await (const { number = 0, target, verdict, output } of run.rows())
    rows.push([number, [target, verdict, output ?? ''].join(' ').trim()]);
  const inOrder = rows.toSorted(([one], [other]) => one - other).map(([, row]) => row);
  const listing = await listings.of(run.name);
  return { rows: inOrder, targets: (await run.manifest()).targets, line: listing?.line };
}

async function filled(store: Store) {
  const ids = new Map<string, string>();
  for (const each of CASES) ids.set(each.name, (await store.cases.create(each)).id);
  const member = (name: string, repetitions = 1) => ({ caseId: ids.get(name) ?? '', repetitions });
  const set = await store.sets.create({ name: 'smoke', description: null });
  if (set.outcome !== 'written') throw new Error(set.outcome);
  await store.sets.replaceMembers(set.set.id, [
    member('three', 2),
    member('four'),
    member('two'),
    member('one'),
  ]);
  const about = { note: null, createdBy: null };
  const made = await store.agents.create({
    ...about,
    name: 'bot',
    description: null,
    config: { type: 'http', url: `${url}/v1` },
  });
  if (made.outcome !== 'written') throw new Error(made.outcome);
  const { id } = made.agent;
  await store.agents.addVersion(id, { ...about, config: { type: 'http', url: `${url}/v2` } });
  return { set: set.set.id, agent: id };
}

/** Commands that open an embedded store take seconds of a busy machine. */
const PATIENCE_MS = 300_000;

describe.each([
  ['an embedded store', () => ({})],
  ['the store of a server', () => ({ DATABASE_URL: server.url })],
])('%s', { timeout: PATIENCE_MS }, (_, environment) => {
  test('runs the members of a set in order with agents in versions, and resumes what was planned', async () => {
    await using project = openProject(files);
    const { assay, inStore } = await commandsOf(project, environment());
    const { set, agent: id } = await inStore(filled);

    const listed = await assay('cases', 'list', '--set', 'smoke');
    const names = listed.stdout.split('\n').map((line) => line.split(' ')[0]);
    expect([listed.stderr, names]).toEqual(['', ['three', 'four', 'two', 'one', '']]);

    const stopped = await assay(
      ...'run --stored --set smoke --repeat 2 --fail-fast --target bot@1'.split(' '),
    );
    expect([stopped.stderr, stopped.code]).toEqual(['', 1]);

    // What changes meanwhile is not what the run goes on with.
    await inStore(async ({ sets, agents }) => {
      await sets.replaceMembers(set, []);
      await agents.change(id, { isArchived: true });
    });
    // Each stops at the next failure.
    for (const _part of ['the second "two"', 'the rest']) {
      const resumed = await assay('resume', '--stored', 'latest');
      expect([resumed.stderr, resumed.code]).toEqual(['', 1]);
    }
    const { rows, targets, line } = await inStore(latest);
    expect(line).toBe('smoke');
    expect(rows).toEqual([
      ...Array<string>(4).fill('bot passed /v1: right three'),
      'bot skipped',
      'bot skipped',
      'bot failed /v1: wrong two',
      'bot failed /v1: wrong two',
      'bot passed /v1: right one',
      'bot passed /v1: right one',
    ]);
    expect(targets).toMatchObject([{ name: 'bot', config: { url: `${url}/v1` }, agent: { id, version: 1 } }]);
    expect(project.litter()).toEqual([]);
  });

  test('runs two versions of an agent beside a target of the config', async () => {
    await using project = openProject(files);
    const { assay, inStore } = await commandsOf(project, environment());
    await inStore(async (store) => {
      const bot = await store.agents.called('bot');
      return bot === undefined
        ? await filled(store)
        : await store.agents.change(bot.id, { isArchived: false });
    });
    const run = await assay(...'run --stored --id one --target bot --target desk --target bot@1'.split(' '));
    expect([run.stderr, run.code]).toEqual(['', 0]);
    expect((await inStore(latest)).rows).toEqual([
      'bot@2 passed /v2: right one',
      'desk passed right',
      'bot@1 passed /v1: right one',
    ]);
    const wrong = await assay(...'run --stored --set smok --target bott --target bot@9'.split(' '));
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringMatching(
        /--target bott {2}unknown-target.*did you mean `bot`[^]*--target bot@9 {2}unknown-agent-version[^]*unknown-set.*"smok"/,
      ),
    ]);
  });
});

test('only the store has sets', async () => {
  await using project = openProject(files);
  for (const command of ['run --stored cases.json --set smoke', 'cases list cases.json --set smoke']) {
    const { code, stderr } = await project.assay(...command.split(' '));
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(
        '--set cannot be used with paths: it selects test cases of the store, and paths select files',
      ),
    ]);
  }
  const { code, stderr } = await project.assay('cases', 'list', '--set', 'smoke');
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('no set in the store has the id or name "smoke"'),
  ]);
});
