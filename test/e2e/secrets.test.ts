import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Ended } from './support/cli.ts';
import { newestRun, openProject, rowsOf, type Project } from './support/project.ts';

/** By the name of its variable; the values have no shape that would give them away. */
const CANARIES = {
  SUPPORT_API_KEY: 'canary-of-the-key-0123456789',
  PLAIN_NAME: 'canary in a variable of no telling name',
  ODD_TOKEN: 'canary "quoted" \\ and\nbroken over lines/é',
};
/** Stands in the config itself. */
const INLINE = 'canary-written-into-the-config';
const SHAPED = ['sk-', 'ant-api03-', 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4'].join('');

/** How each canary comes out of the agent: as it is, in pieces, in structured output, in what nobody asked for. */
const AGENT = `
import { writeFileSync } from 'node:fs';
const secrets = [process.env.SUPPORT_API_KEY, process.env.PLAIN_NAME, process.env.ODD_TOKEN, '${SHAPED}', process.env.INLINE_TOKEN];
const mode = process.env.ASSAY_CASE_ID;
const pause = () => new Promise((resolve) => setTimeout(resolve, 30));
const inPieces = async (stream, text) => {
  for (let at = 0; at < text.length; at += 5) {
    stream.write(text.slice(at, at + 5));
    if (at % 40 === 0) await pause();
  }
};
const all = secrets.join(' | ');
if (mode === 'plain') console.log('the answer', all);
if (mode === 'chunked') await inPieces(process.stdout, 'the answer ' + all);
if (mode === 'stderr') { console.log('the answer'); await inPieces(process.stderr, all + '\\n' + JSON.stringify(secrets)); }
if (mode === 'crash') { console.error(all); process.exit(1); }
if (mode === 'large') console.log('the answer', ('x'.repeat(65_500) + all).repeat(3));
if (mode === 'structured') console.log(JSON.stringify({ text: 'the answer ' + all, output: [
  { role: 'assistant', content: all, tool_calls: [{ tool: 'send', input: { [secrets[0]]: secrets }, output: all }] },
  { role: 'assistant', content: 'the answer ' + all },
] }));
if (mode === 'artifact') { writeFileSync(process.env.ASSAY_ARTIFACT_DIR + '/session.log', all + '\\0' + all); console.log('the answer'); }
`;

const modes = ['plain', 'chunked', 'stderr', 'crash', 'large', 'structured', 'artifact'];

let project: Project;
let server: Server;
let ended: Ended;
let shown: Ended[];

beforeAll(async () => {
  server = createServer((request, response) => {
    const content = `the answer ${request.headers.authorization ?? ''} ${CANARIES.PLAIN_NAME}`;
    const isBad = request.url?.startsWith('/bad') === true;
    const body = isBad ? content : JSON.stringify({ messages: [{ role: 'assistant', content }] });
    request.resume().on('end', () => response.writeHead(isBad ? 400 : 200).end(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const headers = { authorization: 'Bearer ${{ SUPPORT_API_KEY }}', 'x-more': '${{ PLAIN_NAME }}' };
  const leaky = { type: 'code_judge', script: `echo '{"score": 1, "reason": "saw ${SHAPED}"}'` };
  project = openProject({
    'assay.config.json': {
      targets: {
        agent: {
          type: 'cli',
          command: ['node', './agent.mjs'],
          passEnv: ['SUPPORT_API_KEY', 'ODD_TOKEN'],
          env: { PLAIN_NAME: '${{ PLAIN_NAME }}', INLINE_TOKEN: INLINE },
        },
        service: { type: 'http', url: `${url}/good`, headers },
        'bad service': { type: 'http', url: `${url}/bad?key=\${{ SUPPORT_API_KEY }}`, headers },
      },
      run: { retryInfrastructure: 0 },
    },
    'agent.mjs': AGENT,
    'some.eval.yaml': {
      assert: [
        { type: 'contains', value: 'the answer' },
        { type: 'equals', value: 'something else', weight: 0 },
        leaky,
      ],
      tests: [
        ...modes.map((id) => ({ id, input: 'What is it?', execution: { target: 'agent' } })),
        { id: 'http', input: 'What is it?', execution: { targets: ['service', 'bad service'] } },
      ],
    },
  });
  const reporters = ['junit', 'html', 'markdown', 'json'].flatMap((name) => [
    '--reporter',
    `${name}=reports/${name}`,
  ]);
  ended = await project.start(['run', '--verbose', ...reporters], CANARIES).ended;
  shown = await Promise.all(
    [
      ['show', 'latest', '--failed'],
      ['show', 'latest', '--json'],
      ['show', '--trial', 'some.eval.yaml/plain/agent/r1'],
    ].map((args) => project.assay(...args)),
  );
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});

test('the agents were asked, and the text around the secrets is kept', () => {
  const verdicts = rowsOf(newestRun(project)).map(
    ({ caseId, target, verdict }) => `${caseId} ${target} ${verdict}`,
  );
  expect(verdicts.sort()).toEqual(
    [
      ...modes.map((mode) => `${mode} agent ${mode === 'crash' ? 'errored' : 'passed'}`),
      'http service passed',
      'http bad service errored',
    ].sort(),
  );
  const plain = rowsOf(newestRun(project)).find(({ caseId }) => caseId === 'plain');
  expect(plain?.output).toMatch(
    /^the answer \[redacted:SUPPORT_API_KEY\] \| \[redacted:PLAIN_NAME\] \| \[redacted:ODD_TOKEN\] \| \[redacted:[^\]]+\] \| \[redacted:INLINE_TOKEN\]$/,
  );
});

test.each(Object.entries({ ...CANARIES, 'a well-known shape': SHAPED, 'one in the config': INLINE }))(
  '%s is in no file of the run and in no report',
  (_, secret) => {
    const places = [...filesBelow(newestRun(project)), ...filesBelow(project.path('reports'))];
    expect(places.length).toBeGreaterThan(10);
    expect(places.filter((file) => holds(readFileSync(file, 'utf8'), secret))).toEqual([]);
  },
);

test.each(Object.entries({ ...CANARIES, 'a well-known shape': SHAPED, 'one in the config': INLINE }))(
  '%s is printed nowhere',
  (_, secret) => {
    const printed = [ended, ...shown].flatMap(({ stdout, stderr }) => [stdout, stderr]);
    expect(printed.filter((text) => holds(text, secret))).toEqual([]);
  },
);

test('resume writes no secret into run.json, and nothing but contents is rewritten', async () => {
  // Each equals something that the run says of itself.
  const words = {
    EVENT_KEY: 'trial-end',
    ROLE_KEY: 'assistant',
    ROOT_KEY: project.directory,
    CASE_KEY: 'structured',
  };
  const before = readFileSync(join(newestRun(project), 'run.json'), 'utf8');
  const resumed = await project.start(['resume', 'latest', '--retry', 'errored'], { ...CANARIES, ...words })
    .ended;
  const manifest = readFileSync(join(newestRun(project), 'run.json'), 'utf8');
  const events = readFileSync(join(newestRun(project), 'events.jsonl'), 'utf8');
  expect([resumed.code, events.split('"type":"run-resume"').length]).toEqual([ended.code, 2]);
  expect([before, manifest].map((text) => text.includes(INLINE))).toEqual([false, false]);
  const { cwd, suites, projectRoot } = JSON.parse(before) as Record<string, unknown>;
  expect(JSON.parse(manifest)).toMatchObject({ cwd, suites, projectRoot });
  expect(rowsOf(newestRun(project))).toHaveLength(modes.length + 2);
});

test('files with what was said are readable by their owner only', () => {
  const run = newestRun(project);
  const open = [run, ...filesBelow(run)].filter((file) => (statSync(file).mode & 0o077) !== 0);
  expect(open).toEqual([]);
});

/** Whether a text has a secret as it is or as JSON would write it. */
function holds(text: string, secret: string): boolean {
  return text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile());
}
