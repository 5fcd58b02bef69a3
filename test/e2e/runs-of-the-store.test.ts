import { existsSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { sharedDatabase, type SharedDatabase } from '../support/databases.ts';
import { openProject, type ProjectHere } from './support/here.ts';
import type { Files } from './support/project.ts';

let server: SharedDatabase;
beforeAll(async () => {
  server = await sharedDatabase('empty');
});
afterAll(() => server.end());

/** Says what it was asked; `wrong` and what stands behind it are not what the expectation wants. */
const AGENT = `read -r question; echo "$question" >> asked.txt; echo "$question"`;

const config = (more: object = {}) => ({
  targets: { bot: { type: 'cli', command: ['sh', './agent.sh'] } },
  target: 'bot',
  user: { type: 'scripted', messages: [] },
  judge: { model: 'none/none', metrics: [] },
  run: { seed: 3, concurrency: 1, expectations: [{ type: 'contains', value: 'right' }] },
  ...more,
});

const files: Files = {
  'assay.config.json': config(),
  'agent.sh': AGENT,
  'cases.json': [
    { name: 'one', initial_message: 'right one\n' },
    { name: 'two', initial_message: 'wrong two\n', tags: ['late'] },
    { name: 'three', initial_message: 'right three\n', tags: ['late'] },
    { name: 'four', initial_message: 'right four\n', status: 'draft' },
  ],
};

interface Listed {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly trials: number;
  readonly counts: Readonly<Record<string, number>>;
}

interface Shown {
  readonly number: number;
  readonly verdict: string;
  readonly output: string;
}

/** The commands of one project on one kind of store. */
function commandsOf(project: ProjectHere, environment: Readonly<Record<string, string>>) {
  const assay = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await project.here(args, environment);
    return { code, stdout, stderr };
  };
  const lines = async <T>(...args: readonly string[]): Promise<T[]> => {
    const { stdout, stderr } = await assay(...args);
    expect(stderr).toBe('');
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as T);
  };
  return { assay, lines };
}

describe('a store', () => {
  const environment = () => ({ DATABASE_URL: server.url });

  test('without a server keeps runs of its cases, too', async () => {
    await using project = openProject(files);
    const { assay, lines } = commandsOf(project, {});
    await assay('cases', 'import', 'cases.json');
    const done = await assay('run', '--stored', '--tag-any', 'late', '--json');
    expect([done.stderr, done.code]).toEqual(['', 1]);
    const rows = await lines<Shown>('show', '--stored', 'latest', '--json');
    expect(rows.map(({ number, verdict }) => [number, verdict])).toEqual([
      [1, 'failed'],
      [2, 'passed'],
    ]);
    expect(project.runs()).toEqual([]);
  });

  test('keeps runs of its cases, which are found, compared, graded again and resumed as frozen', async () => {
    await using project = openProject(files);
    const { assay, lines } = commandsOf(project, environment());
    await assay('db', 'migrate');
    await assay('cases', 'import', 'cases.json');

    const stopped = await assay('run', '--stored', '--fail-fast');
    expect([stopped.stderr, stopped.code]).toEqual(['', 1]);
    const [run] = await lines<Listed>('runs', '--stored', '--json');
    expect([run?.state, run?.trials, run?.counts['failed'], project.runs()]).toEqual(['stopped', 3, 1, []]);
    expect(stopped.stdout).toContain(`Results: ${run?.id} in the store`);

    // What is edited or archived meanwhile is not what the run goes on with.
    project.write({ 'edited.json': [{ name: 'three', initial_message: 'wrong now\n', tags: ['late'] }] });
    await assay('cases', 'import', 'edited.json', '--match', 'name', '--on-conflict', 'merge');
    await assay('cases', 'archive', 'three');
    const resumed = await assay('resume', run?.id.slice(0, 17) ?? '', '--json');
    expect([resumed.stderr, resumed.code]).toEqual(['', 1]);
    const rows = await lines<Shown>('show', '--stored', 'latest', '--json');
    expect(rows.map(({ number, verdict, output }) => [number, verdict, output])).toEqual([
      [1, 'passed', 'right one'],
      [2, 'failed', 'wrong two'],
      [3, 'passed', 'right three'],
    ]);
    expect(project.read('asked.txt')).toBe('right one\nwrong two\nright three\n');

    const graded = await assay('grade', '--stored', 'latest', '--json');
    expect([graded.stderr, graded.code]).toEqual(['', 1]);
    const [again, source] = await lines<Listed>('runs', '--stored', '--json');
    expect([again?.kind, source?.id, source?.counts]).toEqual([
      'grade',
      run?.id,
      expect.objectContaining({ passed: 2, failed: 1 }),
    ]);
    const compared = await assay('compare', again?.id ?? '', run?.id ?? '', '--json');
    expect([compared.stderr, compared.code]).toEqual(['', 0]);
    const latest = await assay('show', 'latest');
    expect([latest.code, latest.stderr]).toEqual([2, expect.stringContaining('no run "latest" in')]);
    expect(project.litter()).toEqual([]);
  });
});

test('without a store there are no cases to run, and no store is made', async () => {
  await using project = openProject(files);
  const early = await project.assay('run', '--stored');
  expect([early.code, early.stderr]).toEqual([2, expect.stringContaining('this project has no store')]);
  const listed = await project.assay('runs', '--stored');
  expect([listed.code, listed.stderr]).toEqual([2, early.stderr]);
  expect(existsSync(project.path('.assay'))).toBe(false);
});
