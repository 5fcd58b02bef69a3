import { writeFileSync } from 'node:fs';
import { json } from 'node:stream/consumers';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { countingServer } from '../../test/support/counting-server.ts';
import { onServedStores } from '../../test/support/served-store.ts';

const CONFIG = {
  targets: { desk: { type: 'mock', response: 'hello' } },
  user: { type: 'scripted', messages: [] },
  judge: { model: 'none/none', metrics: [] },
  run: { seed: 1, expectations: [{ type: 'contains', value: 'hello' }] },
};

/** An agent that answers with its path and what it was asked. */
const echo = () =>
  countingServer((request, response) => {
    void json(request).then((body) => {
      const { messages } = body as { readonly messages: readonly { readonly content: string }[] };
      response.setHeader('content-type', 'application/json');
      const content = `${request.url} ${messages.at(-1)?.content}`;
      response.end(JSON.stringify({ messages: [{ role: 'assistant', content }] }));
    });
  });

onServedStores('runs of agents over HTTP', ({ ask, url, folder }) => {
  const newAgent = async (address: string) => {
    const config = { type: 'http', url: address };
    return (await ask('POST', '/agents', { body: { name: 'bot', config } })).body.id as string;
  };
  const ended = async (run: string) => {
    const headers = { Accept: 'text/event-stream' };
    await (await fetch(`${url()}/api/v1${run}/events`, { headers })).text();
  };
  const newCase = async (name: string, more: object = {}) =>
    (await ask('POST', '/test-cases', { body: { name, initial_message: `hello ${name}`, ...more } })).body
      .id as string;

  test('run a set in its order with its repetitions, on the version that was asked for', async () => {
    writeFileSync(join(folder, 'assay.config.json'), JSON.stringify(CONFIG));
    const server = await echo();
    const [one, two, gone] = [
      await newCase('one'),
      await newCase('two'),
      await newCase('gone', { status: 'archived' }),
    ];
    const set = (await ask('POST', '/case-sets', { body: { name: 'smoke' } })).body.id;
    const members = [{ test_case_id: two, repetitions: 2 }, { test_case_id: one }, { test_case_id: gone }];
    await ask('POST', `/case-sets/${set}/members`, { body: members });
    const id = await newAgent(`http://127.0.0.1:${server.port}/v1`);
    const config = { type: 'http', url: `http://127.0.0.1:${server.port}/v2` };
    await ask('POST', `/agents/${id}/versions`, { body: { config } });

    const body = { agents: [{ id, version: 1 }], select: { set: 'smoke' }, repetitions: 2 };
    const started = await ask('POST', '/runs', { body });
    expect([started.status, started.body.line]).toEqual([202, 'smoke']);
    const run = `/runs/${started.body.id}` as const;
    await ended(run);
    const trials = await ask('GET', `${run}/trials`);
    expect([trials.status, trials.body.error]).toEqual([200, undefined]);
    expect(
      trials.body.data.map(({ case_id, target, repetition, verdict }) => [
        case_id,
        target,
        repetition,
        verdict,
      ]),
    ).toEqual([
      ...[1, 2, 3, 4].map((repetition) => [two, 'bot', repetition, 'passed']),
      ...[1, 2].map((repetition) => [one, 'bot', repetition, 'passed']),
      ...[1, 2].map((repetition) => [gone, 'bot', repetition, 'skipped']),
    ]);
    const first = await ask('GET', `${run}/trials/1`);
    expect(first.body.row.output).toBe('/v1 hello two');
    const { manifest } = (await ask('GET', run)).body;
    expect(manifest?.targets).toMatchObject([{ name: 'bot', agent: { id, version: 1 } }]);

    const graded = (await ask('POST', `${run}/regrade`, { body: { target: 'bot' } })).body;
    expect([graded.line, graded.origin]).toEqual(['smoke', 'server']);
    await ended(`/runs/${graded.id}`);
    const history = (await ask('GET', `/test-cases/${one}/trials`)).body.data;
    expect(history.map(({ run_id, agent_version }) => [run_id, agent_version])).toEqual(
      [graded.id, graded.id, started.body.id, started.body.id].map((of) => [of, 1]),
    );
    const refused = await ask('POST', `${run}/regrade`, { body: { target: 'bott' } });
    expect([refused.status, refused.body.error]).toMatchObject([
      422,
      { code: 'unknown-target', param: 'target' },
    ]);
  });

  test('tell all that is wrong with them at once', async () => {
    writeFileSync(join(folder, 'assay.config.json'), JSON.stringify(CONFIG));
    await newCase('one');
    const id = await newAgent('http://127.0.0.1:9/v1');
    const unknown = '00000000-0000-4000-8000-000000000000';
    const refused = async (body: object) => {
      const { status, body: answer } = await ask('POST', '/runs', { body: { dry_run: true, ...body } });
      const problems = answer.error?.problems ?? [];
      return [status, ...problems.map(({ code, param }) => `${param} ${code}`)];
    };
    expect(await refused({ agents: [{ id, version: 7 }, { id: unknown }], select: { set: 'smok' } })).toEqual(
      [422, 'agents.0.version unknown-agent-version', 'agents.1.id unknown-target', 'select.set unknown-set'],
    );
    expect(await refused({ agents: [{ id }], targets: ['desk'], select: {} })).toEqual([200]);
    await ask('DELETE', `/agents/${id}`, { headers: { 'If-Match': '*' } });
    expect(await refused({ agents: [{ id }], select: {} })).toEqual([422, 'agents.0.id agent-archived']);
  });

  test('say how to ask for an agent that stands among the targets', async () => {
    writeFileSync(join(folder, 'assay.config.json'), JSON.stringify(CONFIG));
    await newCase('one');
    await newAgent('http://127.0.0.1:9/v1');
    const hintFor = async (name: string) => {
      const { error } = (await ask('POST', '/runs', { body: { targets: [name] } })).body;
      return error.problems.find(({ code }: { readonly code: string }) => code === 'unknown-target')?.hint;
    };
    expect([await hintFor('bot@1'), await hintFor('bot'), await hintFor('none')]).toEqual([
      'for an agent of the store write "agents": [{"id":"bot","version":1}]',
      'for an agent of the store write "agents": [{"id":"bot"}]',
      'configured: desk',
    ]);
  });
});
