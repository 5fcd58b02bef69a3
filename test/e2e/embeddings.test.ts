import { describe, expect, onTestFinished, test } from 'vitest';

import { modelServer } from '../support/model-server.ts';
import { openProject } from './support/here.ts';
import { newestRun, rowOf, type Project } from './support/project.ts';

const suite = {
  tests: [
    {
      id: 'hours',
      input: 'When are you open?',
      expected_output: 'We are open from nine to five.',
      assert: [{ type: 'similarity', metric: 'cosine', model: 'local/embed', threshold: 0.6 }],
    },
  ],
};

function projectOf(url: string, provider: object = { price: { input: 2, output: 0 } }): Project {
  const opened = openProject({
    'a.eval.yaml': suite,
    'assay.config.json': {
      targets: { agent: { type: 'mock', response: 'From nine to five we are open.' } },
      models: { local: { baseUrl: `${url}/v1`, ...provider } },
    },
  });
  onTestFinished(async () => await opened[Symbol.asyncDispose]());
  return opened;
}

describe('similarity by embeddings, from the command line', () => {
  test('is priced, recorded, and replayed by a run and by a regrade', async () => {
    const server = await modelServer();
    const at = projectOf(server.url);
    const recorded = await at.assay('run', '--cassette', 'tapes', '--mode', 'record');
    expect({ code: recorded.code, stderr: recorded.stderr }).toEqual({ code: 0, stderr: '' });
    const [grade] = rowOf(newestRun(at), 'hours').grades ?? [];
    expect(grade).toMatchObject({ passed: true, model: 'local/embed', costUsd: expect.any(Number) });
    expect(grade?.costUsd).toBeGreaterThan(0);
    const before = server.counts().total;
    const replayed = await at.assay('run', '--cassette', 'tapes', '--mode', 'replay');
    const graded = await at.assay('grade', 'latest', '--cassette', 'tapes', '--mode', 'replay');
    expect([replayed.code, graded.code, server.counts().total - before]).toEqual([0, 0, 0]);
  });

  test('a provider that fails leaves the trial unmeasured', async () => {
    const server = await modelServer({ rules: [{ reply: { status: 400, message: 'no such model' } }] });
    const at = projectOf(server.url);
    const run = await at.assay('run');
    const row = rowOf(newestRun(at), 'hours');
    expect({ code: run.code, verdict: row.verdict, grades: row.grades }).toEqual({
      code: 3,
      verdict: 'errored',
      grades: [expect.objectContaining({ score: null, reason: expect.stringContaining('no such model') })],
    });
  });

  test('a missing key and an unknown price are reported before the run', async () => {
    const server = await modelServer();
    const keyless = projectOf(server.url, { apiKeyEnv: 'NO_SUCH_KEY' });
    const refused = await keyless.assay('run');
    expect({ code: refused.code, stderr: refused.stderr, runs: keyless.runs() }).toEqual({
      code: 2,
      stderr: expect.stringContaining('no API key for local/embed: NO_SUCH_KEY is not set'),
      runs: [],
    });
    const unpriced = projectOf(server.url, {});
    const unbound = await unpriced.assay('run', '--max-cost', '1');
    expect({ code: unbound.code, stderr: unbound.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('no price is known for local/embed, so --max-cost cannot be enforced'),
    });
    const dry = await projectOf(server.url).assay('run', '--dry');
    expect(dry.stdout).toContain('embeddings local/embed');
  });
});
