import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { prepareMigrated } from '../support/databases.ts';
import { openProject, type ProjectHere } from './support/here.ts';
import type { Files } from './support/project.ts';
import { until } from './support/until.ts';

interface Asked {
  readonly messages: readonly { readonly content: string }[];
}

/** Repeats what it is asked. A question with `wait` has no answer until `release`. */
const waiting: (() => void)[] = [];
const release = () => waiting.splice(0).forEach((answer) => answer());
const agent = createServer((request, response) => {
  void json(request).then((body) => {
    const said = (body as Asked).messages.at(-1)?.content ?? '';
    const answer = () => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ messages: [{ role: 'assistant', content: said }] }));
    };
    if (said.includes('wait')) waiting.push(answer);
    else answer();
  });
});
let url = '';
beforeAll(async () => {
  agent.listen(0, '127.0.0.1');
  await once(agent, 'listening');
  url = `http://127.0.0.1:${(agent.address() as AddressInfo).port}`;
});
afterAll(() => {
  release();
  agent.close();
  agent.closeAllConnections();
});

const files = (): Files => ({
  'assay.config.json': {
    targets: { bot: { type: 'http', url }, other: { type: 'mock', response: 'right' } },
    target: 'bot',
    user: { type: 'scripted', messages: [] },
    judge: { model: 'none/none', metrics: [] },
    run: { seed: 3, concurrency: 1, expectations: [{ type: 'contains', value: 'right' }] },
  },
  'cases.json': [
    { name: 'one', initial_message: 'right one' },
    { name: 'two', initial_message: 'wrong two', tags: ['late'] },
    { name: 'three', initial_message: 'right three', tags: ['late'] },
    { name: 'slow', initial_message: 'wait right', status: 'draft' },
  ],
});

async function serving(project: ProjectHere) {
  const program = project.start(['serve', '--port', '0']);
  const isOver = program.ended.then(({ stderr }) => {
    throw new Error(`assay serve ended: ${stderr}`);
  });
  await Promise.race([until('its address', () => program.printed().includes('Ctrl-C')), isOver]);
  isOver.catch(() => undefined);
  return { program, url: (/http:\S+/.exec(program.printed()) ?? [''])[0] };
}

async function begin() {
  const project = openProject(files());
  await prepareMigrated(project.path('.assay/data'));
  const server = await serving(project);
  const assay = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await project.here(args);
    return { code, stdout, stderr };
  };
  await assay('cases', 'import', 'cases.json');
  return { project, server, assay };
}

/** Makes the slow case active. */
async function activate(project: ProjectHere, address: string): Promise<void> {
  await project.here(['cases', 'import', 'cases.json', '--match', 'name', '--on-conflict', 'skip']);
  const cases = (await (await fetch(`${address}/api/v1/test-cases?status=any`)).json()) as {
    readonly data: readonly { readonly id: string; readonly name: string }[];
  };
  const slow = cases.data.find(({ name }) => name === 'slow');
  await fetch(`${address}/api/v1/test-cases/${slow?.id}`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json', 'If-Match': '*' },
    body: JSON.stringify({ status: 'active' }),
  });
}

interface Summary {
  readonly id: string;
  readonly state: string;
  readonly exitCode: number;
  readonly totals: { readonly counts: Readonly<Record<string, number>> };
}

/** What the closing lines of a run say, without what differs between two runs. */
const plain = (text: string) =>
  text
    .replace(/\d{8}T\d{6}Z-\w+/g, 'RUN')
    .replace(/\d+(\.\d+)? ?m?s\b/g, 'TIME')
    .replace(/ +/g, ' ');

/** Commands that open an embedded store take seconds of a busy machine. */
const PATIENCE_MS = 300_000;

describe('assay run --stored with a server', { timeout: PATIENCE_MS }, () => {
  test('runs there, and prints, reports and exits as without one', async () => {
    const { project, server, assay } = await begin();
    await using _ = project;
    const done = await assay('run', '--stored', '--tag-any', 'late', '--reporter', 'junit=out/junit.xml');
    expect([done.stderr, done.code]).toEqual(['', 1]);
    expect(done.stdout).toContain(`of the server at ${server.url}; seed 3`);
    expect(done.stdout).toMatch(/1 passed, 1 failed: 2 trials/);
    expect(done.stdout).toMatch(/Results: \S+ in the store/);
    expect(project.read('out/junit.xml')).toContain('<testsuites');

    const listed = await assay('runs', '--stored', '--json');
    expect(JSON.parse(listed.stdout)).toMatchObject({ state: 'completed', counts: { passed: 1, failed: 1 } });
    const { id } = JSON.parse(listed.stdout) as Summary;
    const shown = await assay('show', '--stored', 'latest', '--json');
    const lines = shown.stdout.trim().split('\n');
    const rows = lines.map(
      (line) => JSON.parse(line) as { readonly caseId: string; readonly verdict: string },
    );
    expect(rows.map(({ verdict }) => verdict).sort()).toEqual(['failed', 'passed']);
    const two = rows.find(({ verdict }) => verdict === 'failed')?.caseId ?? '';
    const trial = await assay('show', id, '--trial', two);
    expect([trial.code, trial.stderr, trial.stdout]).toEqual([0, '', expect.stringContaining('wrong two')]);

    const again = await assay('run', '--stored', '--tag-any', 'late', '--baseline', id, '--json');
    expect([again.stderr, again.code]).toEqual(['', 0]);
    const summary = JSON.parse(again.stdout) as Summary & { readonly baseline: { readonly base: string } };
    expect([summary.state, summary.totals.counts['passed'], summary.baseline.base]).toEqual([
      'completed',
      1,
      id,
    ]);
    const compared = await assay('compare', id, summary.id, '--json');
    expect([compared.stderr, JSON.parse(compared.stdout)]).toMatchObject(['', { base: id }]);

    server.program.kill('SIGINT');
    await server.program.ended;
    const alone = await assay('run', '--stored', '--tag-any', 'late');
    const closing = (text: string) => plain(text.slice(text.indexOf('\n\n')));
    expect([alone.code, closing(alone.stdout)]).toEqual([
      1,
      closing(done.stdout.replace(/.*junit.*\n/g, '')),
    ]);
    expect((await assay('show', '--stored', id)).stdout).toContain('1 passed, 1 failed');
  });

  test('refuses what only this process could honour, and what needs the database', async () => {
    const { project, assay } = await begin();
    await using _ = project;
    const refused = async (...args: readonly string[]) => {
      const { code, stderr } = await assay(...args);
      return `${code} ${stderr.split('\n')[0]}`;
    };
    for (const flags of [
      ['--config', 'assay.config.json'],
      ['--cassette', 'tape'],
      ['--shard', '1/2', '--seed', '1'],
      ['--failed', 'latest'],
      ['--case', 'one'],
    ]) {
      expect(await refused('run', '--stored', ...flags)).toContain(
        `${flags[0]} cannot be used here: the run is executed by the server at`,
      );
    }
    expect(await refused('run', '--stored', '--id', 'nobody')).toMatch(/^2 .*nobody/);
    const plan = await assay('run', '--stored', '--dry', '--json', '--target', 'other', '--repeat', '2');
    expect(JSON.parse(plan.stdout)).toMatchObject({ trials: 6, cases: [{ targets: ['other'] }, {}, {}] });
    expect((await assay('runs', '--stored')).stdout).toBe('no runs found in the store\n');
    expect((await assay('run', '--stored', '--id', 'one')).code).toBe(0);
    const own = async (...args: readonly string[]) =>
      expect(await refused(...args)).toContain(
        `${args.at(-2) === '--suite' ? '--suite' : args.at(-1)} cannot be used here: the run is executed by the`,
      );
    await own('resume', '--stored', 'latest', '--trust');
    await own('grade', '--stored', 'latest', '--trust');
    await own('grade', '--stored', 'latest', '--suite', 'some.eval.yaml');
  });

  test('resumes and grades there, and prints, reports and exits as without one', async () => {
    const { project, server, assay } = await begin();
    await using _ = project;
    await activate(project, server.url);
    const program = project.start(['run', '--stored', '--json']);
    await until('the slow question', () => waiting.length === 1);
    program.kill('SIGINT');
    const { id } = JSON.parse((await program.ended).stdout) as Summary;
    release();

    const goingOn = project.start(['resume', '--stored', 'latest', '--retry', 'cancelled', '--json']);
    await until('the slow question again', () => waiting.length === 1);
    release();
    const resumed = await goingOn.ended;
    expect([resumed.stderr, resumed.code]).toEqual(['', 1]);
    expect(JSON.parse(resumed.stdout)).toMatchObject({
      id,
      state: 'completed',
      exitCode: 1,
      totals: { counts: { total: 4, passed: 3, failed: 1, cancelled: 0 } },
    });
    const again = await assay('resume', id);
    expect([again.stderr, again.code]).toEqual(['', 1]);
    expect(again.stdout).toContain(`Nothing to run: all 4 trials of ${id} have ended`);
    expect(again.stdout).toMatch(/3 passed, 1 failed: 4 trials/);

    const graded = await assay('grade', '--stored', 'latest', '--reporter', 'junit=out/graded.xml');
    expect([graded.stderr, graded.code]).toEqual(['', 1]);
    expect(graded.stdout).toMatch(new RegExp(`grading ${id} into \\S+ on the server at ${server.url}`));
    expect(graded.stdout).toMatch(/3 passed, 1 failed: 4 trials/);
    expect(project.read('out/graded.xml')).toContain('<testsuites');
    const ofTarget = await assay('grade', `${id}#bot`, '--json');
    expect([ofTarget.code, JSON.parse(ofTarget.stdout)]).toMatchObject([1, { state: 'completed' }]);
    const named = await assay(...'run --stored --target nope --set smok --repeat 2'.split(' '));
    expect([named.code, named.stderr]).toEqual([
      2,
      expect.stringMatching(
        /unknown-target {2}--target nope: unknown target "nope" {2}\(configured: bot, other\)[^]*unknown-set {2}--set: no set/,
      ),
    ]);
    const unknown = await assay('resume', '--stored', 'nothing');
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('nothing')]);

    // A run directory is executed here.
    const here = await assay('run', '--stored', 'cases.json', '--json', '--id', 'one');
    const { id: ofFiles } = JSON.parse(here.stdout) as Summary;
    expect((await assay('resume', '--stored', ofFiles)).stdout).toContain('Nothing to run in');
  });

  test('Ctrl-C cancels the run on the server', async () => {
    const { project, server } = await begin();
    await using _ = project;
    await activate(project, server.url);
    const program = project.start(['run', '--stored', '--json']);
    await until('the slow question', () => waiting.length === 1);
    program.kill('SIGINT');
    const ended = await program.ended;
    expect([ended.code, ended.stderr]).toEqual([
      130,
      expect.stringContaining('Cancelling the run on the server'),
    ]);
    const summary = JSON.parse(ended.stdout) as Summary;
    expect([summary.state, summary.totals.counts]).toMatchObject(['stopped', { cancelled: 1 }]);
    release();
  });
});
