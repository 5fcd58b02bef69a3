import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Ended } from './support/cli.ts';
import { runProcess } from '../../src/lib/process/run-process.ts';
import { program } from './support/dist.ts';
import { newestRun, openProject, rowOf, type Project } from './support/project.ts';

const deep = `${JSON.stringify(process.execPath)} "$ASSAY_EVAL_ROOT/deep.cjs"`;

const SECRET = 'canary-0123456789';

/** What each agent does, in the folder of its artifacts or in its workspace. */
const agents = {
  'leaves a deep tree': `cd "$ASSAY_ARTIFACT_DIR" && ${deep}`,
  'leaves a large file': `truncate -s 2G "$ASSAY_ARTIFACT_DIR/big.bin"; printf 'a ${SECRET}' > "$ASSAY_ARTIFACT_DIR/small.txt"`,
  'leaves a pipe': 'mkfifo "$ASSAY_ARTIFACT_DIR/pipe"',
  'works in a deep tree': `cd "$ASSAY_WORKSPACE" && ${deep}`,
  'works on a large file': 'truncate -s 100M "$ASSAY_WORKSPACE/big.bin"',
  'does nothing': 'true',
};

type Name = keyof typeof agents;

let project: Project;
let run: string;
let ended: Ended;

beforeAll(async () => {
  project = openProject({
    'deep.cjs': `const fs = require('node:fs');
for (let level = 0; level < 500; level++) { fs.mkdirSync('a-long-name'); process.chdir('a-long-name'); }`,
  });
  const root = project.directory;
  project.write({
    'assay.config.json': {
      targets: Object.fromEntries(
        Object.entries(agents).map(([name, script]) => [
          name,
          {
            type: 'cli',
            command: ['sh', '-c', `${script.replace('$ASSAY_EVAL_ROOT', root)}; echo done`],
          },
        ]),
      ),
      run: { redact: { names: ['CANARY'] } },
    },
    'template/a.txt': 'a',
    'files.eval.yaml': {
      workspace: { template: './template' },
      tests: Object.keys(agents).map((id) => ({
        id,
        input: 'Go on.',
        execution: { target: id },
        assert: [
          { type: 'contains', value: 'done' },
          ...(id.startsWith('works') || id === 'does nothing' ? [{ type: 'files', only_changed: [] }] : []),
        ],
      })),
    },
  });
  ended = await project.start(['run'], { CANARY: SECRET }).ended;
  run = newestRun(project);
});
afterAll(() => project[Symbol.asyncDispose]());

const expected: Readonly<Record<Name, { readonly verdict: string; readonly notes: readonly RegExp[] }>> = {
  'leaves a deep tree': { verdict: 'passed', notes: [/not kept, because only 100 levels of folders/] },
  'leaves a large file': { verdict: 'passed', notes: [/not kept, because only 64 MB a file.*big\.bin/] },
  'leaves a pipe': { verdict: 'passed', notes: [] },
  'works in a deep tree': {
    verdict: 'errored',
    notes: [/could not be read/, /left out of the copy for grading/, /left out of the kept workspace/],
  },
  'works on a large file': {
    verdict: 'failed',
    notes: [/larger than 64 MB: "big.bin"/, /left out.*: big\.bin/],
  },
  'does nothing': { verdict: 'passed', notes: [] },
};

test.each(Object.keys(agents) as Name[])('an agent that %s', (name) => {
  const { verdict, notes = [] } = rowOf(run, name);
  const wanted = expected[name];
  const isAsWanted =
    notes.length === wanted.notes.length && wanted.notes.every((each, i) => each.test(notes[i] ?? ''));
  expect({ verdict, notes: isAsWanted ? 'as wanted' : notes }).toEqual({
    verdict: wanted.verdict,
    notes: 'as wanted',
  });
});

test('costs the run nothing, and leaves no secret and nothing in the temporary directory', () => {
  const { artifactDir } = rowOf(run, 'leaves a large file');
  const folder = join(run, artifactDir ?? '');
  expect(readdirSync(folder)).toEqual(['small.txt']);
  expect(readFileSync(join(folder, 'small.txt'), 'utf8')).toBe('a [redacted:CANARY]');
  expect(existsSync(join(run, rowOf(run, 'works on a large file').workspacePath ?? '', 'big.bin'))).toBe(
    false,
  );
  expect([ended.code, project.litter()]).toEqual([1, []]);
});

test('fewer open files than trials at once make no trial errored', async () => {
  const cases = Array.from({ length: 100 }, (_, index) => ({
    id: `case-${index}`,
    input: 'Go on.',
    assert: [{ type: 'contains', value: 'done' }],
  }));
  await using crowded = openProject({
    'assay.config.json': {
      targets: { sh: { type: 'cli', command: ['sh', '-c', 'sleep 0.2; echo done'] } },
      run: { concurrency: 100 },
    },
    'crowd.eval.yaml': { tests: cases },
  });
  const limited = `ulimit -n 128; exec ${process.execPath} ${program} run`;
  const { stdout, code } = await exited(limited, crowded);
  expect([code, stdout.match(/8 parallel trials instead of 100/g)?.length]).toEqual([0, 1]);
});

/** Runs a line of shell in a project. */
async function exited(line: string, { place }: Project) {
  const { cwd, env } = place();
  const result = await runProcess({ command: { shell: line }, cwd, env }, new AbortController().signal);
  return { stdout: Buffer.from(result.stdout).toString(), code: result.exitCode };
}
