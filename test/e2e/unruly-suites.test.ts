import { describe, expect, test } from 'vitest';

import { newestRun, openProject, rowOf, rowsOf, type Project } from './support/project.ts';
import { until } from './support/until.ts';

const CONFIG = {
  target: 'mock',
  targets: { mock: { type: 'mock', response: 'ready' } },
};

function suite(cases: Readonly<Record<string, string>>, head = ''): string {
  const texts = Object.entries(cases).map(([id, body]) => `{ id: '${id}', prompt: 'go', ${body} }`);
  return `import { assert } from 'assay';\n${head}\nexport default [${texts.join(',\n')}];\n`;
}

function withSuite(text: string, run: object = {}): Project {
  return openProject({ 'assay.config.json': { ...CONFIG, run }, 'a.suite.ts': text });
}

/** Verdict, kind and message of each case. */
function seen(project: Project): unknown {
  return Object.fromEntries(
    rowsOf(newestRun(project)).map(({ caseId, verdict, error }) => [
      caseId,
      error === undefined ? [verdict] : [verdict, error.kind, error.message],
    ]),
  );
}

const EXIT_0 =
  'assert: ProcessExit: process.exit(0) was called, which would end assay and everything it measures';

describe('process.exit', () => {
  test('in an assert function errors its trial, and the others go on', async () => {
    await using project = withSuite(
      suite({
        fails: `assert() { assert.fail('x'); }`,
        exits: `assert() { process.exit(0); }`,
        swallows: `assert() { try { process.exit(0); } catch {} }`,
        imports: `async assert() { (await import('node:process')).exit(0); }`,
        passes: `assert() {}`,
      }),
    );
    const ended = await project.assay('run');
    expect([ended.code, ended.stderr]).toEqual([1, '']);
    const errored = ['errored', 'assert-hook', EXIT_0];
    expect(seen(project)).toEqual({
      fails: ['failed'],
      exits: errored,
      swallows: errored,
      imports: errored,
      passes: ['passed'],
    });
  });

  test('in what is asked about a failed assertion errors its trial, and the others go on', async () => {
    const asks = (question: string) =>
      `assert(r) { assert.commands.includes(r, 'x', { explain: { question: () => ${question} } }); }`;
    await using project = withSuite(
      suite({
        exits: asks('process.exit(0)'),
        swallows: asks(`{ try { process.exit(0); } catch {} return 'why?'; }`),
        throws: asks(`{ throw new Error('no question'); }`),
        described: `assert() { throw { get message() { return process.exit(0); } }; }`,
        passes: `assert() {}`,
      }),
    );
    const ended = await project.assay('run');
    expect([ended.code, ended.stderr]).toEqual([1, '']);
    const errored = ['errored', 'assert-hook', EXIT_0];
    expect(seen(project)).toEqual({
      exits: errored,
      swallows: errored,
      throws: ['failed'],
      described: errored,
      passes: ['passed'],
    });
  });

  test('in classifyFailure and in a reporter ends neither', async () => {
    await using project = withSuite(
      suite({
        classified: `classifyFailure() { process.exit(0); }, assert() { assert.fail('x'); }`,
        passes: 'assert() {}',
      }),
    );
    project.write({ 'mine.ts': 'export default { onCaseFinish() { process.exit(0); } };\n' });
    const ended = await project.assay('run', '--reporter', './mine.ts');
    expect(ended.code).toBe(3);
    expect(rowOf(newestRun(project), 'classified').error?.message).toContain('process.exit(0) was called');
    expect(ended.stdout).toContain('process.exit(0) was called');
  });

  test.each(['run', 'validate'])('while a suite is loaded is its problem: %s', async (command) => {
    await using project = withSuite(suite({ one: 'assert() {}' }, 'process.exit(0);'));
    const ended = await project.assay(command);
    expect(ended.code).toBe(2);
    expect(`${ended.stdout}${ended.stderr}`).toContain(
      'a.suite.ts:2:9  suite-load-failed  process.exit(0) was called',
    );
  });
});

const EMITS = `import { EventEmitter } from 'node:events';
const emits = (text: string, ms = 1) => setTimeout(() => new EventEmitter().emit('error', new Error(text)), ms);`;

/** `emitsWhenOver` emits when the next case has said `isOver`. */
const LATE = `let isOver = false;
let hasEmitted = false;
const emitsWhenOver = (text: string) => {
  const wait = setInterval(() => {
    if (!isOver) return;
    clearInterval(wait);
    hasEmitted = true;
    new EventEmitter().emit('error', new Error(text));
  }, 1);
};`;

describe('an exception that nobody catches', () => {
  test('errors the trial whose assert function it comes from, and the others go on', async () => {
    await using project = withSuite(
      suite(
        {
          fails: `assert() { assert.fail('x'); }`,
          emits: `async assert() { emits('from a timer'); await new Promise(() => {}); }`,
          late: `assert() { emitsWhenOver('too late'); }`,
          waits: `async assert() { isOver = true; while (!hasEmitted) await new Promise((done) => setTimeout(done, 1)); }`,
        },
        `${EMITS}\n${LATE}`,
      ),
      { schedule: 'serial' },
    );
    const ended = await project.assay('run');
    expect([ended.code, ended.stderr]).toEqual([1, '']);
    expect(seen(project)).toEqual({
      fails: ['failed'],
      emits: ['errored', 'assert-hook', 'assert: Error: from a timer'],
      late: ['passed'],
      waits: ['passed'],
    });
    expect(ended.stdout).toContain('too late');
  });

  test.each([
    ['run', 1],
    ['validate', 1],
    ['validate', 50],
  ])(
    'of a timer that a suite starts as it is loaded is its problem: %s, after %i ms',
    async (command, ms) => {
      await using project = withSuite(suite({ one: 'assert() {}' }, `${EMITS} emits('at large', ${ms});`));
      const ended = await project.assay(command);
      const text = `${ended.stdout}${ended.stderr}`;
      expect(ended.code).toBe(2);
      const column = (EMITS.split('\n')[1] ?? '').indexOf('new Error') + 1;
      expect(text).toContain(`a.suite.ts:3:${column}  suite-load-failed`);
      expect(text).toContain('at large');
      expect(text).not.toContain('    at ');
    },
  );
});

describe('time', () => {
  test('a busy assert function over its time is errored', async () => {
    const busy = 'const end = Date.now() + 1_500; while (Date.now() < end);';
    await using project = withSuite(suite({ busy: `assert() { ${busy} }`, after: 'assert() {}' }), {
      assertTimeoutMs: 1_000,
    });
    expect((await project.assay('run')).code).toBe(3);
    expect(seen(project)).toEqual({
      busy: [
        'errored',
        'assert-hook',
        'assert: the assert hook timed out after 1000 ms; raise `run.assertTimeoutMs`, or check what it waits for',
      ],
      after: ['passed'],
    });
  });

  test.each(['run', 'validate'])('a suite that waits for nothing is a problem: %s', async (command) => {
    await using project = withSuite(suite({ one: 'assert() {}' }, 'await new Promise(() => {});'));
    const ended = await project.assay(command);
    expect(ended.code).toBe(2);
    expect(`${ended.stdout}${ended.stderr}`).toContain(
      'a.suite.ts  suite-load-failed  loading never ends, because a top-level await never settles',
    );
  });

  test('a second signal ends a loading that never does', async () => {
    const head = `console.error('loading'); setInterval(() => {}, 1000); await new Promise(() => {});`;
    await using project = withSuite(suite({ one: 'assert() {}' }, head));
    const running = project.start(['run']);
    await until('the suite is being loaded', () => running.complaints().includes('loading'));
    running.kill('SIGINT');
    await until('the first signal is told', () => running.complaints().includes('Stopping'));
    running.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
  });

  test('what a suite leaves open does not keep a run from ending, nor changes how it ended', async () => {
    const head = `import { createServer } from 'node:net';
      createServer().listen(0, '127.0.0.1'); setInterval(() => {}, 1000);`;
    await using project = withSuite(suite({ one: 'assert() {}' }, head));
    expect((await project.assay('run')).code).toBe(0);
    expect((await project.assay('validate')).code).toBe(0);
    await using failing = withSuite(suite({ one: `assert() { assert.fail('x'); }` }, head));
    expect((await failing.assay('run')).code).toBe(1);
  });
});
