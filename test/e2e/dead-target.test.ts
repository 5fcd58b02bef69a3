import { once } from 'node:events';
import { createServer } from 'node:http';

import { expect, test } from 'vitest';

import { freePort } from '../../src/targets/http/agent-server.ts';
import { openProject } from './support/here.ts';
import { eventsOf, newestRun, rowsOf } from './support/project.ts';

const CASES = 40;
const FIRST = 4;

const tests = Array.from({ length: CASES }, (_, number) => ({
  id: `case-${number}`,
  input: 'What is it?',
  assert: [{ type: 'contains', value: 'the answer' }],
}));

test('a target that no first trial can reach is given up, said once, and run again by resume', async () => {
  const port = await freePort();
  await using project = openProject({
    'assay.config.json': {
      targets: {
        dead: { type: 'http', url: `http://127.0.0.1:${port}/` },
        alive: { type: 'mock', response: 'the answer' },
      },
      run: { concurrency: FIRST, retryInfrastructure: 0 },
    },
    'a.eval.yaml': { tests },
  });
  const { code, stdout } = await project.assay('run', '--target', 'dead', '--target', 'alive');
  const run = newestRun(project);
  const dead = rowsOf(run).filter(({ target }) => target === 'dead');
  const started = new Set(
    eventsOf(run).flatMap(({ trial, fact }) => (fact.type === 'trial-start' ? [trial ?? ''] : [])),
  );
  expect([code, dead.length, new Set(dead.map(({ error }) => error?.kind))]).toEqual([
    3,
    CASES,
    new Set(['target-unavailable']),
  ]);
  // Those that had begun beside the third of the first ones.
  expect([...started].filter((key) => key.includes('/dead/')).length).toBeLessThan(3 + FIRST);
  expect(rowsOf(run).filter(({ target, passed }) => target === 'alive' && passed)).toHaveLength(CASES);
  const notes = eventsOf(run).flatMap(({ fact }) => (fact.type === 'note' ? [fact.text] : []));
  expect(notes).toEqual([
    expect.stringMatching(
      /^the other trials were not started: the first 3 trials could not reach "dead": .+; when the target is available again, use assay resume \S+ --retry errored$/,
    ),
  ]);
  expect(stdout.split('when the target is available again')).toHaveLength(2);

  const server = createServer((_, response) =>
    response.end(JSON.stringify({ messages: [{ role: 'assistant', content: 'the answer' }] })),
  );
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  try {
    const resumed = await project.assay('resume', 'latest', '--retry', 'errored');
    expect([resumed.code, rowsOf(run).filter(({ passed }) => passed).length]).toEqual([0, 2 * CASES]);
  } finally {
    server.close();
  }
});
