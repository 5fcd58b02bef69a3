import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { sharedDatabase, type SharedDatabase } from '../support/databases.ts';
import { openProject } from './support/project.ts';
import { artifactsIn, factsIn, worker } from './support/workers.ts';

let postgres: SharedDatabase;
let env: { readonly DATABASE_URL: string };
beforeAll(async () => {
  postgres = await sharedDatabase('migrated');
  env = { DATABASE_URL: postgres.url };
});
afterAll(() => postgres.end());

/** Each trial waits for the other one, so that both workers must take one. It tells which worker started it. */
const AGENT = `read -r said
case "$said" in
  one) echo here > "$MEETING/first"; read -r met < "$MEETING/second" ;;
  two) read -r met < "$MEETING/first"; echo here > "$MEETING/second" ;;
esac
echo "$said" > answer.txt
echo "$said was started by $PPID with $(cat letter.txt)"
`;

const SUITE = `import { readFileSync } from 'node:fs';
import { assert } from 'skillgym';
export const workspace = { mode: 'isolated', templateDir: './inbox' };
const caseOf = (id) => ({
  id,
  prompt: id,
  assert(report, ctx) {
    assert.match(ctx.finalOutput(), /with a letter/);
    assert.equal(readFileSync(report.workspace.directory + '/answer.txt', 'utf8'), id + '\\n');
  },
});
export default [caseOf('one'), caseOf('two')];
`;

test('the programs of agents run for a code suite on two workers, each in its own directory', async () => {
  await using project = openProject({
    'agent.sh': AGENT,
    'inbox/letter.txt': 'a letter',
    'letters.suite.ts': SUITE,
  });
  const script = join(project.directory, 'agent.sh');
  const targets = {
    writer: { type: 'cli', command: ['sh', script], env: { MEETING: project.directory } },
  };
  project.write({ 'assay.config.json': { targets } });
  execFileSync('mkfifo', ['first', 'second'], { cwd: project.directory });
  const hands = await Promise.all(
    ['left', 'right'].map((name) => worker(project, env, ['--name', name, '--concurrency', '1'])),
  );
  const ended = await project.start(['run', '--workers', '--ci', '--json'], env).ended;
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  const { id } = JSON.parse(ended.stdout) as { readonly id: string };
  const ends = (await factsIn(env.DATABASE_URL, id, 'trial-end')) as readonly TrialEnd[];
  const outputs = ends.map(({ row }) => row.output.trim()).toSorted();
  const pids = hands.map(({ pid }) => pid);
  expect(outputs.map((output) => output.replace(/\d+/, 'PID'))).toEqual([
    'one was started by PID with a letter',
    'two was started by PID with a letter',
  ]);
  const starters = outputs.map((output) => Number(/\d+/.exec(output)?.[0]));
  expect(starters.toSorted()).toEqual(pids.toSorted());
  // Any machine can show them.
  expect(await artifactsIn(env.DATABASE_URL, id)).toEqual([
    { trial: 1, names: expect.arrayContaining(['report.json']) as readonly string[] },
    { trial: 2, names: expect.arrayContaining(['report.json']) as readonly string[] },
  ]);
  for (const program of hands) program.kill('SIGINT');
  await Promise.all(hands.map((program) => program.ended));
}, 600_000);

interface TrialEnd {
  readonly row: { readonly output: string };
}
