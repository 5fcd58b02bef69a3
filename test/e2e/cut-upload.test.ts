import { readFileSync } from 'node:fs';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import type { Row } from '../../src/core/run.ts';
import { prepareMigrated } from '../support/databases.ts';
import { openProject } from './support/here.ts';
import { manifestOf, newestRun } from './support/project.ts';
import { until } from './support/until.ts';

const TRIALS = 300;

const CASES = Array.from({ length: TRIALS }, (_, index) => ({ id: `case-${index}`, input: 'a' }));
const RESPONSES = Object.fromEntries(CASES.map(({ id }, index) => [id, index % 3 === 0 ? 'no' : 'yes']));

const FILES = {
  'assay.config.json': { targets: { agent: { type: 'mock', responses: RESPONSES } } },
  'some.eval.yaml': {
    tests: CASES,
    assert: [{ type: 'contains', value: 'yes' }],
  },
};

test('an upload that is cut off shows nothing by halves, and the next one makes the run whole', async () => {
  await using project = openProject(FILES);
  await prepareMigrated(project.path('.assay/data'));
  await project.assay('run');
  const run = newestRun(project);
  const id = run.slice(-23);
  const program = project.start(['serve', '--port', '0']);
  await until('its address', () => program.printed().includes('Ctrl-C'));
  const [url = ''] = /http:\S+/.exec(program.printed()) ?? [];
  const asked = async (path: string) => await (await fetch(`${url}/api/v1${path}`)).text();
  const json = async (path: string) => JSON.parse(await asked(path));
  const rows = linesIn(join(run, 'results.jsonl'));
  const events = linesIn(join(run, 'events.jsonl'));

  // They are sent one after the other.
  const [head, spec, log] = ['run.json', 'spec.json', 'events.jsonl'].map(
    (name) => readFileSync(join(run, name)).length,
  );
  await using line = await narrowLine(url, (head ?? 0) + (spec ?? 0) + (log ?? 0) * 0.7);
  const sending = project.start(['upload', id], { ASSAY_URL: line.url });
  const known = async () => (await json(`/runs/${id}/events?limit=1`)).data?.length ?? 0;
  await until('some events', async () => (await known()) > 0, 60_000);
  line.cut();
  const cut = await sending.ended;
  expect([cut.code, cut.stdout]).toEqual([2, '']);
  await until('the end of the claim', async () => (await json(`/runs/${id}`)).state === 'interrupted');

  const half = await json(`/runs/${id}`);
  const exported = jsonIn(await asked(`/runs/${id}/export?format=jsonl`));
  expect(exported.length).toBeGreaterThan(0);
  expect(exported.length).toBeLessThan(TRIALS);
  expect(exported).toEqual(rows.slice(0, exported.length));
  const passed = exported.filter((row) => (row as Row).verdict === 'passed').length;
  expect(half.totals.counts).toMatchObject({
    total: exported.length,
    passed,
    failed: exported.length - passed,
  });
  expect(half.manifest).not.toHaveProperty('exitCode');

  const whole = await project.start(['upload', id, '--json'], { ASSAY_URL: url }).ended;
  const [{ new_events: rest }] = JSON.parse(whole.stdout);
  expect([whole.code, rest > 0 && rest < events.length]).toEqual([0, true]);
  const stored = await json(`/runs/${id}`);
  expect([stored.state, stored.manifest.exitCode]).toEqual(['completed', manifestOf(run).exitCode]);
  expect(jsonIn(await asked(`/runs/${id}/export?format=jsonl`))).toEqual(rows);
  const paged: unknown[] = [];
  for (let after: string | null = '0'; after !== null;) {
    const page = await json(`/runs/${id}/events?limit=200&after=${after}`);
    paged.push(...page.data);
    after = page.next_cursor;
  }
  expect(paged).toEqual(events);
  const again = await project.start(['upload', id], { ASSAY_URL: url }).ended;
  expect(again.stdout).toBe(`uploaded ${id}: nothing new\n`);
  program.kill('SIGINT');
  await program.ended;
});

const jsonIn = (text: string): readonly unknown[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

const linesIn = (file: string): readonly unknown[] => jsonIn(readFileSync(file, 'utf8'));

/** A proxy that passes so many bytes of a connection to the server and keeps the others, until it is cut. */
async function narrowLine(url: string, bytes: number) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const cut = () => sockets.forEach((socket) => socket.destroy());
  const own = () => `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const socket of [client, server]) sockets.add(socket.on('error', () => socket.destroy()));
    server.pipe(client);
    let passed = 0;
    client.on('data', (data: Buffer) => {
      // The server answers only requests that name it.
      const chunk = Buffer.from(data.toString('latin1').replace(own(), `${hostname}:${port}`), 'latin1');
      const part = chunk.subarray(0, Math.max(0, bytes - passed));
      passed += part.length;
      if (part.length > 0) server.write(part);
      if (passed >= bytes) client.pause();
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://${own()}`,
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
