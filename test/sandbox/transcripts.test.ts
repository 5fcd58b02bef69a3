import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { CONTAINER } from '../contracts/container.ts';
import { eventsOf, newestRun, openProject, rowsOf, type Project } from '../e2e/support/project.ts';
import { fakeEnv, installFakeAgent, recordingOf } from '../support/fake-agent.ts';

const SANDBOXES = {
  process: { level: 'process' },
  namespace: { level: 'namespace' },
  container: { ...CONTAINER, mountAgent: true },
} as const;

type Level = keyof typeof SANDBOXES;

/** What the agent of each case does in its workspace. */
const PROGRAMS = {
  works: `cat question.txt; tr a-z A-Z < question.txt > answer.txt; mkdir -p sub; echo deep > sub/file
    ln -s answer.txt link; rm question.txt; chmod 750 run.sh; echo "a problem" >&2; pwd; echo done`,
  'leaves processes': '(setsid sleep 900 > /dev/null 2>&1 &); sleep 900 & echo "é done"',
  crashes: 'echo half; echo "no licence" >&2; exit 3',
  'kills itself': 'echo half; kill -9 $$; echo "goes on"',
  'prints no answer': ':',
  'calls a missing program': 'no-such-program 2> /dev/null; echo "$?" done',
};

/** Shells do not pass this variable on. */
const READS = "console.log(process.env['a.b'], 'done')";

function projectAt(level: Level): Project {
  const script = join(import.meta.dirname, '..', 'support', 'fake-agent.mjs');
  const recording = recordingOf('claude-code', '2.1.330/parallel');
  const does = 'echo hello > answer.txt; cat question.txt > copy.txt';
  const env = fakeEnv({ recording, does, stderr: 'a warning\n' });
  const sandbox = SANDBOXES[level];
  const mount = level === 'process' ? [] : [{ from: script }, { from: recording }];
  const reads = { type: 'cli', command: [process.execPath, '-e', READS], env: { 'a.b': 'one two' }, sandbox };
  const shells = [
    ...Object.entries(PROGRAMS).map(
      ([name, program]) => [name, { type: 'cli', command: ['/bin/sh', '-c', program], sandbox }] as const,
    ),
    ['reads a variable', reads] as const,
  ];
  const assert = [{ type: 'contains', value: 'done' }];
  const project = openProject({
    'template/question.txt': 'why?\n',
    'template/run.sh': 'true\n',
    'a.eval.yaml': {
      workspace: { template: './template', keep: 'always' },
      tests: [
        ...shells.map(([target]) => ({
          id: target,
          input: 'go',
          execution: { target },
          assert,
        })),
        {
          id: 'coding agent',
          input: 'Answer the question.',
          execution: { target: 'agent' },
          assert: [
            { type: 'files', contains: { 'answer.txt': 'hello' } },
            { type: 'equals', value: 'DONE: as scripted' },
          ],
        },
      ],
    },
    'assay.config.json': {
      targets: {
        ...Object.fromEntries(shells),
        agent: { type: 'claude-code', model: 'm', env, sandbox: { ...sandbox, mount } },
      },
      run: { concurrency: 1, retryInfrastructure: 0 },
    },
  });
  installFakeAgent(project.path('bin'), ['claude']);
  return project;
}

test('transcripts, rows and files of the same agents are the same at each level', async () => {
  const kept: Partial<Record<Level, unknown>> = {};
  for (const level of ['process', 'namespace', 'container'] as const) {
    await using project = projectAt(level);
    const PATH = `${project.path('bin')}:${process.env['PATH'] ?? ''}`;
    const { code } = await project.start(['run'], { PATH }).ended;
    const run = newestRun(project);
    const ends = rowsOf(run).map(({ caseId, verdict, output }) => [caseId, [verdict, output]]);
    expect(Object.fromEntries(ends)).toEqual(ENDS);
    kept[level] = { code, ...keptOf(run) };
  }
  expect(kept.namespace).toEqual(kept.process);
  expect(kept.container).toEqual(kept.process);
});

/** The verdict and the output of each case. */
const ENDS = {
  works: ['passed', expect.stringMatching(/^why\?\n.*\/w-.*\ndone$/)],
  'leaves processes': ['passed', 'é done'],
  crashes: ['errored', null],
  'kills itself': ['errored', null],
  'prints no answer': ['failed', ''],
  'calls a missing program': ['passed', '127 done'],
  'reads a variable': ['passed', 'one two done'],
  'coding agent': ['passed', 'DONE: as scripted'],
};

/** What a run has kept of its trials, without what differs between two runs of the same level too, and the level. */
function keptOf(run: string): object {
  const facts = eventsOf(run).flatMap(({ trial, fact }) => (trial === undefined ? [] : [{ trial, fact }]));
  const rows = rowsOf(run).toSorted((a, b) => a.caseId.localeCompare(b.caseId));
  const files = ['trials', 'workspaces'].flatMap((folder) => filesBelow(join(run, folder)));
  return { facts: plain(facts), rows: plain(rows), files: plain(files) };
}

function filesBelow(folder: string): readonly unknown[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  return names.map((name) => {
    const path = join(folder, name);
    const found = lstatSync(path);
    const mode = (found.mode & 0o777).toString(8);
    if (found.isSymbolicLink()) return { name, link: readlinkSync(path) };
    return found.isFile() ? { name, mode, text: readFileSync(path, 'utf8') } : { name, mode };
  });
}

const PASSING = ['at', 'startedAt', 'endedAt', 'durationMs', 'latency', 'isolation', 'digests'];

function plain(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(OWN_FOLDER, '/$1').replace(...KILLED);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !PASSING.includes(key));
  return Object.fromEntries(kept.map(([key, each]) => [key, plain(each)]));
}

/** In a sandbox, the signal that ended a program is seen as an exit code, as shells give it. */
const KILLED = ['exit code 137', 'the signal SIGKILL'] as const;

/** A folder of one attempt: its workspace, or its home. */
const OWN_FOLDER = /\/[\w/.-]*\/(w|h)-[\da-f]{12}-\w{6}/g;
