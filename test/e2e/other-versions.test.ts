import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, test } from 'vitest';

import { prepareMigrated } from '../support/databases.ts';
import { startAgent, type Agent } from './support/talkers.ts';
import { openProject, type Project } from './support/project.ts';
import { killed, PATIENCE_MS, served } from './support/served.ts';

type Changed = (answer: Readonly<Record<string, unknown>>) => unknown;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Documents in a resource or an event. */
const DOCUMENTS = ['fact', 'manifest', 'row', 'totals'];

/** A later version has more fields, in resources and in documents. */
const asOfLater: Changed = (answer) => {
  const more = (value: unknown): unknown => {
    if (!isRecord(value)) return value;
    const known = Object.entries(value).map(([key, each]) =>
      key === 'data' && Array.isArray(each)
        ? [key, each.map(more)]
        : [key, DOCUMENTS.includes(key) ? more(each) : each],
    );
    return { ...Object.fromEntries(known), addedLater: { what: 'unknown to this program' } };
  };
  return more(answer);
};

/** Fields that a first version could have been without. */
const ADDED = [
  'bytes',
  'kept',
  'last_used_at',
  'left_folders',
  'line',
  'note',
  'revoked_at',
  'settings',
  'skipped',
  'totals',
];

/** An earlier version lacks some, in a resource and in those of a list. */
const asOfEarlier: Changed = (answer) => {
  const less = (value: unknown) =>
    isRecord(value)
      ? Object.fromEntries(Object.entries(value).filter(([key]) => !ADDED.includes(key)))
      : value;
  const { data } = answer;
  return less(Array.isArray(data) ? { ...answer, data: data.map(less) } : answer);
};

/** Stands before a server, and changes its JSON answers and the lines of its streams. */
async function before(url: string, changed: Changed): Promise<AsyncDisposable & { readonly url: string }> {
  const line = (text: string) => {
    const [head = '', json] = /^(data: |)(?=\{)/.test(text) ? [text.slice(0, text.indexOf('{')), text] : [];
    return json === undefined ? text : head + JSON.stringify(changed(JSON.parse(json.slice(head.length))));
  };
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { host: _host, connection: _connection, 'transfer-encoding': _, ...headers } = request.headers;
    const answer = await fetch(`${url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    });
    const etag = answer.headers.get('etag');
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? '',
      ...(etag === null ? {} : { etag }),
    });
    const text = await answer.text();
    response.end(text.split('\n').map(line).join('\n'));
  };
  const server = createServer((request, response) => {
    forward(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const filesFor = (agent: Agent) => ({
  'assay.config.json': {
    targets: { bot: { type: 'http', url: agent.url } },
    user: { type: 'scripted', messages: [] },
    judge: { model: 'none/none', metrics: [] },
    run: { seed: 3, expectations: [{ type: 'regex', value: '.' }] },
  },
  'cases.json': [{ name: 'one', initial_message: 'question', tags: ['a'] }],
  'more.json': [{ name: 'two', status: 'draft' }],
  'some.eval.yaml': { tests: [{ id: 'x', input: 'x' }], assert: [{ type: 'regex', value: '.' }] },
});

const COMMANDS = [
  'cases import more.json',
  'cases list',
  'cases show one',
  'cases export',
  'cases archive two',
  'accounts add bob@example.com --role viewer',
  'accounts list',
  'tokens list',
  'db status',
  'db migrate',
  'db rebuild',
  'db prune --archived-before 2026-01-01',
  'run --stored --target bot',
  'runs --stored',
  'show --stored latest',
  'run --stored --baseline latest',
  'grade --stored latest',
  'run',
  'upload latest',
];

test.each([
  ['later', asOfLater],
  ['earlier', asOfEarlier],
])(
  'a server of a %s version is understood by every command',
  { timeout: 2 * PATIENCE_MS },
  async (_, changed) => {
    await using agent = await startAgent({});
    await using project = openProject(filesFor(agent));
    await prepareMigrated(project.path('.assay/data'));
    const { program, api } = await served(project);
    await project.assay('cases', 'import', 'cases.json');
    await using other = await before(api.slice(0, -'/api/v1'.length), changed);
    meant(project, other.url);
    const ended: string[] = [];
    for (const command of COMMANDS) {
      const { code, stderr } = await project.assay(...command.split(' '));
      ended.push(`${command}: ${code === 0 ? 'done' : stderr}`);
    }
    expect(ended).toEqual(COMMANDS.map((command) => `${command}: done`));
    await killed(program);
  },
);

/** Has the commands of a project ask another address than that of its server. */
function meant(project: Project, url: string): void {
  const file = project.path('.assay/server.json');
  const written = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...written, url }));
}
