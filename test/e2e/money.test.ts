import { describe, expect, onTestFinished, test } from 'vitest';

import { startModelServer, type ModelServer } from '../../src/models/mock-server/server.ts';
import { openProject } from './support/here.ts';
import {
  eventsOf,
  manifestOf,
  newestRun,
  rowsOf,
  runsIn,
  type Files,
  type Project,
} from './support/project.ts';
import { until } from './support/until.ts';

/** A token written is a tenth of a cent; an answer takes five and may take ten. */
const price = { input: 0, output: 1000 };
const answer = { reply: { text: 'ok', usage: { input: 3, output: 5 } } };
const verdict = {
  reply: { json: { score: 1, reasoning: 'fine', evidence: [] }, usage: { input: 3, output: 5 } },
};

const suite = {
  tests: Array.from({ length: 8 }, (_, i) => ({
    id: `t${i + 1}`,
    input: `question ${i + 1}`,
    assert: [{ type: 'contains', value: 'ok' }],
  })),
};

async function modelServer(): Promise<ModelServer> {
  const rules = [{ match: { role: 'json' as const }, ...verdict }, answer];
  const server = await startModelServer({ script: { rules } });
  onTestFinished(async () => await server[Symbol.asyncDispose]());
  return server;
}

function projectOf(files: Files): Project {
  const opened = openProject({ 'a.eval.yaml': suite, ...files });
  onTestFinished(async () => await opened[Symbol.asyncDispose]());
  return opened;
}

/** A model as target, priced where `more` says so. */
async function modelProject(more: object = { price }) {
  const server = await modelServer();
  const project = projectOf({
    'assay.config.json': {
      targets: { bot: { type: 'model', model: 'local/bot', maxOutputTokens: 10, ...more } },
      models: { local: { baseUrl: `${server.url}/v1` } },
    },
  });
  return { server, project };
}

const summaryOf = (stdout: string) =>
  JSON.parse(stdout) as { readonly state: string; readonly totals: object };

describe('a cap that is met in the middle of a run', () => {
  test('leaves a partial result with exit 4; resume with more money runs what is left, each once', async () => {
    const { server, project } = await modelProject();
    const run = await project.assay('run', '--max-cost', '0.03', '--concurrency', '1', '--json');
    expect([run.code, run.stderr]).toEqual([4, '']);
    expect(summaryOf(run.stdout)).toMatchObject({
      state: 'stopped',
      totals: {
        counts: { total: 8, passed: 5, failed: 0, errored: 0, skipped: 3, cancelled: 0 },
        skippedBy: { budget: 3 },
        passRate: { passed: 5, measured: 5 },
      },
    });
    const folder = newestRun(project);
    expect(rowsOf(folder).map(({ verdict: came }) => came)).toEqual(Array(5).fill('passed'));
    expect(manifestOf(folder)).toMatchObject({
      state: 'stopped',
      reason: 'budget',
      exitCode: 4,
      spent: { usd: 0.025 },
    });

    const again = await project.assay('resume', 'latest');
    expect(again.code).toBe(4);
    expect(again.stdout).toMatch(/assay resume \S+ --max-cost USD/);
    expect(again.stdout).toContain(
      '$0.025 of $0.03 is spent; not enough is left for one answer of local/bot, which may cost up to $0.01',
    );
    expect(again.stdout).toContain('The run was stopped (budget): 3 of 8 trials have no outcome yet.');
    expect(again.stdout).toContain('5 passed, 3 skipped (3 budget): 5 trials in');
    for (const shown of ['latest', 'latest#bot'])
      expect((await project.assay('show', shown)).stdout).toContain(
        '5 passed, 3 skipped (3 budget): 5 trials in',
      );
    expect(server.counts().total).toBe(5);

    const more = await project.assay('resume', 'latest', '--max-cost', '1');
    expect([more.code, more.stderr]).toEqual([0, '']);
    expect(
      rowsOf(folder)
        .map(({ caseId }) => caseId)
        .toSorted(),
    ).toEqual(suite.tests.map(({ id }) => id));
    expect(server.counts().total).toBe(8);
    const { reason, ...manifest } = manifestOf(folder);
    expect([reason, manifest.state, manifest.spent]).toEqual([undefined, 'completed', { usd: 0.04 }]);
  });

  test('is kept with many at once, and every trial that was begun and not ended is run by resume', async () => {
    const { server, project } = await modelProject();
    const run = await project.assay('run', '--max-cost', '0.03', '--concurrency', '8');
    expect(run.code).toBe(4);
    expect(run.stdout).toContain('threshold 0.8; whole run 0.03 USD; seed');
    expect(run.stdout).toContain('Stopped by the budget: $0.025 of $0.03 is spent');
    const folder = newestRun(project);
    expect([rowsOf(folder).length, server.counts().total]).toEqual([5, 5]);
    expect((await project.assay('resume', 'latest', '--max-cost', '$1')).code).toBe(0);
    expect(rowsOf(folder).map(({ verdict: came }) => came)).toEqual(Array(8).fill('passed'));
  });

  test('while judges are asked makes no grade, no error and no score: the trial is asked again', async () => {
    const server = await modelServer();
    const judged = suite.tests.map(({ id, input }) => ({ id, input, criteria: 'says ok' }));
    const project = projectOf({
      'a.eval.yaml': { tests: judged },
      'assay.config.json': {
        targets: { bot: { type: 'mock', response: 'ok' } },
        judge: { model: 'local/judge', maxOutputTokens: 10, samples: 3 },
        models: { local: { baseUrl: `${server.url}/v1`, price } },
      },
    });
    const run = await project.assay('run', '--max-cost', '0.05', '--json');
    expect(run.code).toBe(4);
    const folder = newestRun(project);
    expect(rowsOf(folder).every(({ verdict: came }) => came === 'passed')).toBe(true);
    expect(rowsOf(folder).length).toBeLessThan(8);
    expect(eventsOf(folder).filter(({ fact }) => fact.type === 'trial-end').length).toBe(
      rowsOf(folder).length,
    );
    // What judges spent on trials that came to no end counts all the same.
    const spent = 0.005 * server.counts().total;
    expect(manifestOf(folder).spent?.usd).toBeCloseTo(spent, 9);
    expect(spent).toBeLessThanOrEqual(0.05);
    expect((await project.assay('resume', 'latest', '--max-cost', '1')).code).toBe(0);
    expect(rowsOf(folder).map(({ score }) => score)).toEqual(Array(8).fill(1));
  });
});

describe('judges alone under a cap', () => {
  const judgedProject = async (more: object = { price }) => {
    const server = await modelServer();
    const tests = suite.tests.map(({ id, input }) => ({
      id,
      input,
      criteria: 'says ok',
      expected_output: 'ok',
    }));
    const project = projectOf({
      'a.eval.yaml': { tests },
      'assay.config.json': {
        targets: { bot: { type: 'mock', response: 'ok' } },
        // Sixteen questions wait for their money at once.
        judge: { model: 'local/judge', maxOutputTokens: 10, samples: 2 },
        models: { local: { baseUrl: `${server.url}/v1`, ...more } },
      },
    });
    return { server, project };
  };

  test('assay grade stops like a run, and grades nothing as errored', async () => {
    const { server, project } = await judgedProject();
    expect((await project.assay('run', '--out', 'first')).code).toBe(0);
    const [first = ''] = runsIn(project.path('first'));
    const before = server.counts().total;
    const graded = await project.assay('grade', first, '--max-cost', '0.03', '--out', 'again');
    expect([graded.code, graded.stderr]).toEqual([4, '']);
    const [again = ''] = runsIn(project.path('again'));
    expect(rowsOf(again).map(({ verdict: came }) => came)).toEqual(['passed', 'passed']);
    expect([server.counts().total - before, manifestOf(again).reason]).toEqual([5, 'budget']);
  });

  test('assay verify-graders tells what it proved until then, and ends with 4', async () => {
    const { server, project } = await judgedProject();
    const proof = await project.assay('verify-graders', '--max-cost', '0.03', '--json');
    expect([proof.code, proof.stderr]).toEqual([4, '']);
    expect(JSON.parse(proof.stdout)).toMatchObject({ cases: 8, exitCode: 4 });
    expect(server.counts().total).toBe(5);
    expect(project.litter()).toEqual([]);
  });

  test('a judge without a price is refused by both, and nothing is left behind', async () => {
    const { project } = await judgedProject({});
    expect((await project.assay('run', '--out', 'first')).code).toBe(0);
    const [first = ''] = runsIn(project.path('first'));
    for (const command of [['grade', first], ['verify-graders']]) {
      const refused = await project.assay(...command, '--max-cost', '1');
      expect([
        refused.code,
        refused.stderr.includes('no price is known for local/judge, so --max-cost cannot be enforced'),
      ]).toEqual([2, true]);
    }
    expect(project.runs()).toEqual([]);
  });
});

describe('a price that nobody knows', () => {
  test('keeps a bounded run from starting, and says what to write', async () => {
    const { server, project } = await modelProject({});
    const run = await project.assay('run', '--max-cost', '1');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('no price is known for local/bot, so --max-cost cannot be enforced');
    expect(run.stderr).toContain('targets.bot.price, or models.local.price');
    expect(run.stderr).toContain('--allow-unknown-cost');
    expect([project.runs(), server.counts().total]).toEqual([[], 0]);
    expect((await project.assay('run', '--max-cost', '1', '--dry')).code).toBe(2);
  });

  test('is let through with --allow-unknown-cost, and without a cap nobody asks', async () => {
    const { project } = await modelProject({});
    expect((await project.assay('run', '--max-cost', '0', '--allow-unknown-cost')).code).toBe(0);
    expect((await project.assay('run')).code).toBe(0);
  });

  test('of a judge is named too', async () => {
    const server = await modelServer();
    const project = projectOf({
      'a.eval.yaml': { tests: [{ id: 'a', input: 'b', criteria: 'says ok' }] },
      'assay.config.json': {
        targets: { bot: { type: 'mock', response: 'ok' } },
        judge: { model: 'local/judge' },
        models: { local: { baseUrl: `${server.url}/v1` } },
      },
    });
    const run = await project.assay('run', '--max-cost', '1');
    expect([
      run.code,
      run.stderr.includes('no price is known for local/judge, so --max-cost cannot be enforced'),
    ]).toEqual([2, true]);
  });
});

describe('an agent that tells at its end what it spent', () => {
  const agent = `printf '%s' '{"text": "ok", "cost_usd": 0.25}'`;
  const cli = (more: object = {}, limits: object = {}) =>
    projectOf({
      'agent.sh': agent,
      'assay.config.json': {
        targets: { bot: { type: 'cli', command: ['/bin/sh', './agent.sh'], ...more } },
        run: { limits, concurrency: 4 },
      },
    });

  test('is not started under a cap until somebody says what a trial can cost', async () => {
    const run = await cli().assay('run', '--max-cost', '1');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(
      'the target "bot" (cli) reports its cost only at the end and has no cost limit',
    );
    expect(run.stderr).toContain('limits.maxCostUsd');
    expect((await cli({ price: { input: 0, output: 0 } }).assay('run', '--max-cost', '10')).code).toBe(0);
  });

  test('is started as long as its ceiling fits beside what is spent', async () => {
    const project = cli({}, { maxCostUsd: 0.5 });
    const run = await project.assay('run', '--max-cost', '1.5');
    // 0.5 each may be set aside; five trials cost 1.25 and the sixth could cost 1.75.
    expect(run.code).toBe(4);
    expect(run.stdout).toContain(
      '$1.25 of $1.5 is spent; not enough is left for a trial of the target "bot", which may cost up to $0.5',
    );
    expect(rowsOf(newestRun(project)).length).toBe(5);
  });

  test('as a judge has its ceiling set aside for every question', async () => {
    const said = JSON.stringify({ score: 1, reasoning: 'fine', evidence: [] });
    const project = projectOf({
      'a.eval.yaml': { tests: suite.tests.map(({ id, input }) => ({ id, input, criteria: 'says ok' })) },
      'judge.sh': `printf '%s' '${JSON.stringify({ text: said, cost_usd: 0.25 })}'`,
      'assay.config.json': {
        targets: {
          bot: { type: 'mock', response: 'ok' },
          judge: { type: 'cli', command: ['/bin/sh', './judge.sh'] },
        },
        target: 'bot',
        judge: 'judge',
        run: { limits: { maxCostUsd: 0.5 } },
      },
    });
    const run = await project.assay('run', '--max-cost', '1');
    expect([run.code, rowsOf(newestRun(project)).map(({ costUsd }) => costUsd.judge)]).toEqual([
      4,
      [0.25, 0.25, 0.25],
    ]);
    expect(run.stdout).toContain(
      '$0.75 of $1 is spent; not enough is left for one answer of the judge "judge", which may cost up to $0.5',
    );
  });

  test('is found again after a kill, by what the events tell', async () => {
    const project = cli({}, { maxCostUsd: 0.5 });
    expect((await project.assay('run', '--max-cost', '1.5')).code).toBe(4);
    const folder = newestRun(project);
    // As a process leaves it that was killed: nothing says what was spent but the events.
    const { spent: _, reason: __, endedAt: ___, exitCode: ____, ...manifest } = manifestOf(folder);
    project.write({ [`${relativeTo(project)}/run.json`]: { ...manifest, state: 'running' } });
    const again = await project.assay('resume', 'latest', '--max-cost', '2');
    // Five told 0.25 each; two more fit before the next could pass 2.
    expect([again.code, rowsOf(folder).length]).toEqual([4, 7]);
    expect(again.stdout).toContain('$1.75 of $2 is spent');
  });
});

describe('a run that is killed while a model is asked', () => {
  test('counts what its call could have cost as spent when it is resumed', async () => {
    const rules = [{ match: { last: 'question 3' }, reply: { hang: true }, times: 1 }, answer];
    const server = await startModelServer({ script: { rules } });
    onTestFinished(async () => await server[Symbol.asyncDispose]());
    const config = {
      targets: { bot: { type: 'model', model: 'local/bot', maxOutputTokens: 10, price } },
      models: { local: { baseUrl: `${server.url}/v1` } },
      run: { concurrency: 1 },
    };
    const project = projectOf({ 'assay.config.json': config });
    const program = project.start(['run', '--max-cost', '0.03']);
    await until('the question that hangs', () => server.counts().total === 3);
    program.kill('SIGKILL');
    await program.ended;

    const again = await project.assay('resume', 'latest');
    expect(again.stderr).toBe('');
    // Two answers of 0.005, one that may have taken 0.01, and one more that fits.
    expect(again.stdout).toContain(
      'When the run was killed, $0.01 were reserved for running calls; the whole amount counts as spent, because the actual cost is unknown.',
    );
    expect(again.stdout).toContain(
      '$0.025 of $0.03 is spent; not enough is left for one answer of local/bot, which may cost up to $0.01',
    );
    expect([again.code, server.counts().total]).toEqual([4, 4]);
    expect(manifestOf(newestRun(project)).spent).toEqual({ usd: 0.025 });
    const shown = await project.assay('show', 'latest');
    expect(shown.stdout).toContain('3 passed, 5 skipped (5 budget)');
  });
});

describe('a judge that an assert function had no more time for', () => {
  test('counts with what it could have cost, since the request is under way', async () => {
    const server = await startModelServer({ script: { rules: [{ reply: { hang: true } }] } });
    onTestFinished(async () => await server[Symbol.asyncDispose]());
    const project = projectOf({
      'a.suite.ts': `import { grade } from 'assay';
        const assert = (report) => grade(report, { type: 'llm_judge', prompt: 'fine?' });
        export default [{ id: 'a', prompt: 'hello', assert }];`,
      'assay.config.json': {
        targets: { bot: { type: 'mock', response: 'ok' } },
        judge: { model: 'local/judge', maxOutputTokens: 10 },
        models: { local: { baseUrl: `${server.url}/v1`, price } },
        run: { assertTimeoutMs: 3000 },
      },
    });
    const run = await project.assay('run', 'a.suite.ts', '--max-cost', '0.015');
    expect([run.code, server.counts().total]).toEqual([3, 1]);
    expect(manifestOf(newestRun(project)).spent).toEqual({ usd: 0.01 });
    const again = await project.assay('resume', 'latest', '--retry', 'errored');
    expect(server.counts().total).toBe(1);
    expect(again.stdout.replaceAll(/\s+/g, ' ')).toContain(
      '$0.01 of $0.015 is spent; not enough is left for one answer of local/judge, which may',
    );
  });
});

describe('conditions on the whole run', () => {
  test('stand where CI looks: JUnit, annotations, the manifest, and assay show', async () => {
    const { project } = await modelProject();
    const gates = ['--gate', 'cost.total <= 0.02', '--gate', 'errored == 0'];
    const run = await project.assay('run', ...gates, '--reporter', 'junit=j.xml', '--reporter', 'github');
    expect(run.code).toBe(1);
    expect(run.stdout).toContain('::error title=failed%3A gate cost.total <= 0.02::is 0.04');
    expect(project.read('j.xml')).toContain('<failure message="failed: is 0.04, USD, all calls"');
    expect(manifestOf(newestRun(project)).gates?.map(({ holds }) => holds)).toEqual([false, true]);
    const shown = await project.assay('show', 'latest');
    expect(shown.stdout).toContain('2 gates: 1 failed');
  });

  test('and a met budget does, too', async () => {
    const { project } = await modelProject();
    const run = await project.assay('run', '--max-cost', '0.03', '--reporter', 'junit=j.xml');
    expect(run.code).toBe(4);
    expect(project.read('j.xml')).toContain('the budget was used up: 3 trials skipped');
    expect(JSON.parse(project.read(`${relativeTo(project)}/results.json`))).toMatchObject({
      run: { reason: 'budget' },
      totals: { counts: { total: 8, skipped: 3 }, skippedBy: { budget: 3 } },
      targets: [{ name: 'bot', counts: { total: 8, skipped: 3 } }],
    });
  });
});

const relativeTo = (project: Project) => newestRun(project).slice(project.directory.length + 1);

describe('assay run --dry', () => {
  test('says about what the plan would cost, and runs nothing', async () => {
    const { server, project } = await modelProject();
    const dry = await project.assay('run', '--dry');
    expect(dry.code).toBe(0);
    expect(dry.stdout).toMatch(/estimated cost: about \$0\.08 .*bot \$0\.08/);
    const json = await project.assay('run', '--dry', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ estimatedCostUsd: 0.08 });
    expect([server.counts().total, project.runs()]).toEqual([0, []]);
  });

  test('names those whose price nobody knows instead of a number that is too low', async () => {
    const { project } = await modelProject({});
    const dry = await project.assay('run', '--dry');
    expect(dry.stdout).toContain('estimated cost: unknown (no price is known for local/bot)');
    expect(JSON.parse((await project.assay('run', '--dry', '--json')).stdout)).toMatchObject({
      estimatedCostUsd: null,
    });
  });

  test('needs no keys, and says which a run would need', async () => {
    const project = projectOf({
      'assay.config.json': { targets: { bot: { type: 'model', model: 'openai/gpt-4o-mini' } } },
    });
    const missing = 'no API key for openai/gpt-4o-mini: OPENAI_API_KEY is not set';
    const dry = await project.assay('run', '--dry');
    expect({ code: dry.code, stderr: dry.stderr }).toEqual({ code: 0, stderr: '' });
    expect(dry.stdout).toMatch(/estimated cost: about \$/);
    expect(dry.stdout).toMatch(new RegExp(`warning: .*${missing}`));
    const run = await project.assay('run');
    expect({ code: run.code, runs: project.runs() }).toEqual({ code: 2, runs: [] });
    expect(run.stderr).toContain(missing);
  });
});
