import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { CONTAINER } from '../contracts/container.ts';
import { folder } from '../contracts/sandbox.ts';
import { newestRun, openProject, rowOf, rowsOf } from '../e2e/support/project.ts';
import { until } from '../e2e/support/until.ts';
import { claudeTurn } from '../support/claude-lines.ts';
import { fakeEnv, installFakeAgent } from '../support/fake-agent.ts';
import { modelServer } from '../support/model-server.ts';

const LEVELS = [
  ['namespace', { level: 'namespace' }],
  ['container', CONTAINER],
] as const;

/** Shell of an agent that prints whether it sees the project. */
const HIDDEN = 'test -e "$P/canary.txt" && echo "sees the project" || echo done';

const tests = [{ id: 'one', input: 'hello', assert: [{ type: 'contains', value: 'done' }] }];

const SUITE = `import { assert } from 'assay';
export const workspace = { mode: 'isolated' };
export default [{
  id: 'why', prompt: 'go',
  assert(report) {
    assert.soft.output.includes(report, 'thanks', { explain: { question: 'why not?' } });
  },
}];`;

describe.each(LEVELS)('%s', (level, own) => {
  test('a judge with tools reads what an agent left in its workspace, and not what it has linked to', async () => {
    const seen: string[] = [];
    const read = (path: string) => ({ name: 'read_file', input: { path, from_line: 1, lines: 10 } });
    const server = await modelServer(
      {},
      {
        replyTo: ({ toolResults, messages }) => {
          seen.push(messages.at(-1)?.text ?? '');
          if (toolResults === 0) return { toolCalls: [read('answer.txt')] };
          if (toolResults === 1) return { toolCalls: [read('link')] };
          return { json: { score: 1, reasoning: 'it is there', evidence: [] } };
        },
      },
    );
    await using project = openProject({
      'canary.txt': 'purple-otter',
      'template/x': '',
      'a.eval.yaml': {
        workspace: { template: './template' },
        tests: [{ id: 'one', input: 'hello', assert: [{ type: 'agent_judge', prompt: 'Is it done?' }] }],
      },
    });
    const agent = `${HIDDEN} > answer.txt; ln -s "$P/canary.txt" link; echo answered`;
    project.write({
      'assay.config.json': {
        targets: {
          agent: {
            type: 'cli',
            command: ['sh', '-c', agent],
            env: { P: project.directory },
            sandbox: { ...own, network: 'none' },
          },
        },
        judge: { model: 'local/judge' },
        models: { local: { baseUrl: `${server.url}/v1`, price: { input: 1, output: 1 } } },
      },
    });
    const { code, stdout } = await project.assay('run');
    expect({ code, stdout: code === 0 ? '' : stdout }).toEqual({ code: 0, stdout: '' });
    expect(rowOf(newestRun(project), 'one')).toMatchObject({ score: 1, isolation: level });
    expect(seen[1]).toContain('done');
    expect(seen.join('')).not.toMatch(/purple-otter|sees the project/);
  });

  test('a killed run is resumed at its level, also if only a flag asked for it', async () => {
    const shared = folder();
    const agent = `
    read -r question
    ${HIDDEN}
    case $question in *slow*) : > ${shared}/started; while ! test -e ${shared}/go; do sleep 0.05; done;; esac`;
    await using project = openProject({
      'canary.txt': 'x',
      'a.eval.yaml': {
        tests: ['quick', 'slow'].map((id) => ({ ...tests[0], id, input: id })),
      },
    });
    const env = { P: project.directory };
    const sandbox = { ...own, level: undefined, mount: [{ from: shared, write: true }] };
    project.write({
      'assay.config.json': {
        targets: { agent: { type: 'cli', command: ['sh', '-c', agent], env, sandbox } },
        run: { concurrency: 1 },
      },
    });
    const running = project.start(['run', '--sandbox', level]);
    await until('the second trial has started', () => existsSync(join(shared, 'started')));
    running.kill('SIGKILL');
    await running.ended;
    // A container goes on until the next run of the engine removes it.
    const left = level === 'namespace' ? await project.orphans() : [];
    expect(left).toEqual([]);
    writeFileSync(join(shared, 'go'), '');
    expect(await project.assay('resume', 'latest')).toMatchObject({ code: 0 });
    const rows = rowsOf(newestRun(project)).map(({ caseId, isolation, output }) => [
      caseId,
      isolation,
      output,
    ]);
    expect(rows.toSorted()).toEqual([
      ['quick', level, 'done'],
      ['slow', level, 'done'],
    ]);
    expect(project.litter()).toEqual([]);
  });

  test('a kept copy is graded again at the level of its trial, also in a run of several levels', async () => {
    await using project = openProject({
      'canary.txt': 'x',
      'template/x': '',
      'assay.config.json': {
        targets: {
          apart: { type: 'cli', command: ['echo', 'done'], sandbox: own },
          plain: { type: 'cli', command: ['echo', 'done'] },
        },
      },
    });
    const canary = project.path('canary.txt');
    project.write({
      'a.eval.yaml': {
        workspace: { template: './template', keep: 'always' },
        execution: { targets: ['apart', 'plain'] },
        tests: [
          {
            id: 'one',
            input: 'x',
            assert: [{ type: 'command', run: ['sh', '-c', `! test -e '${canary}'`] }],
          },
        ],
      },
    });
    const verdicts = () =>
      Object.fromEntries(rowsOf(newestRun(project)).map(({ target, verdict }) => [target, verdict]));
    expect(await project.assay('run')).toMatchObject({ code: 1 });
    expect(verdicts()).toEqual({ apart: 'passed', plain: 'failed' });
    expect(await project.assay('grade', 'latest')).toMatchObject({ code: 1 });
    expect(project.runs().length).toBe(2);
    expect(verdicts()).toEqual({ apart: 'passed', plain: 'failed' });
  });

  test('an agent explains itself at its level, also if only a flag asked for it', async () => {
    const shared = folder();
    const looks = `ls "$P" >> '${shared}/seen' 2>&1; true`;
    await using project = openProject({ 'a.suite.ts': SUITE, 'canary.txt': 'x' });
    installFakeAgent(project.path('bin'), ['claude']);
    const script = join(import.meta.dirname, '..', 'support', 'fake-agent.mjs');
    const env = {
      ...fakeEnv({
        does: looks,
        after: claudeTurn({ answer: 'done' }),
        session: { folder: '.claude/projects/-w', file: 's-1.jsonl', text: '{}\n' },
        resumed: { does: looks, after: claudeTurn({ answer: 'Because.' }) },
      }),
      P: project.directory,
    };
    const mount = [{ from: script }, { from: shared, write: true }];
    const sandbox = { ...own, level: undefined, mountAgent: level === 'container' ? true : undefined, mount };
    project.write({
      'assay.config.json': { targets: { agent: { type: 'claude-code', model: 'm', env, sandbox } } },
    });
    const PATH = `${project.path('bin')}:${process.env['PATH'] ?? ''}`;
    const run = await project.start(['run', '--sandbox', level], { PATH }).ended;
    expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 1, stderr: '' });
    const row = rowOf(newestRun(project), 'why');
    expect(row.isolation).toBe(level);
    const attempt = join(newestRun(project), row.artifactDir ?? '');
    const explained = await project.start(['explain', attempt], { PATH }).ended;
    expect(explained).toMatchObject({ code: 0, stdout: expect.stringContaining('Because.') as string });
    const seen = readFileSync(join(shared, 'seen'), 'utf8');
    // Of the project, only the program of the agent is there.
    expect(seen).toBe('bin\nbin\n');
  });
});
