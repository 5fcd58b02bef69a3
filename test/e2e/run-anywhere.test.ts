import { existsSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { beginRun } from '../../src/app/planning/begin-run.ts';
import { planRun } from '../../src/app/planning/plan-run.ts';
import { bind } from '../../src/app/binding/bind.ts';
import { endedIn, faultsOfLog, timeless } from './support/compare.ts';
import { manifestOf, newestRun, openProject, rowsOf, type Project } from './support/project.ts';
import { until } from './support/until.ts';

/** Waits where it is told to, until it may go on. */
const AGENT = `
read -r question
echo "$question" >> asked.txt
case $question in *slow*) while ! [ -e go ]; do sleep 0.05; done;; esac
case $question in *wrong*) echo 'no idea';; *) echo "the answer to $question";; esac
`;

const QUESTIONS = { one: 'right', two: 'wrong', three: 'slow and right', four: 'right again' };

/** Every agent waits its turn, so that it is known which trials have ended. */
const project = (): Project =>
  openProject({
    'assay.config.json': {
      targets: { agent: { type: 'cli', command: ['sh', './agent.sh'] } },
      run: { concurrency: 1, seed: 1 },
    },
    'agent.sh': AGENT,
    'some.eval.yaml': {
      tests: Object.entries(QUESTIONS).map(([id, input]) => ({
        id,
        input,
        assert: [{ type: 'contains', value: 'the answer' }],
      })),
    },
  });

/** Plans and keeps a run, in this process, and executes nothing. */
async function planOnly(at: Project): Promise<void> {
  const { cwd, env } = at.place();
  const surroundings = { cwd, environment: env, now: Date.now, commandLine: ['run'] };
  const options = { patterns: [], targets: [], cases: [] };
  const planned = await planRun({ options, surroundings });
  const run = await beginRun(bind(planned.spec, planned.machine), planned, surroundings);
  run.release();
}

test('a run that is planned, executed and resumed by three processes equals one of a single process', async () => {
  await using whole = project();
  whole.write({ go: '' });
  expect((await whole.assay('run')).code).toBe(1);

  await using parts = project();
  await planOnly(parts);
  const run = newestRun(parts);
  const planned = readFileSync(`${run}/spec.json`, 'utf8');
  expect(manifestOf(run).trials).toBe(4);
  expect([existsSync(parts.path('asked.txt')), existsSync(`${run}/events.jsonl`)]).toEqual([false, false]);

  const second = parts.start(['resume', 'latest']);
  await until('two trials ended, and the third is under way', () => {
    return endedIn(run).size === 2 && parts.read('asked.txt').includes('slow');
  });
  second.kill('SIGKILL');
  await second.ended;

  parts.write({ go: '' });
  const third = await parts.assay('resume', 'latest');
  expect([third.code, parts.runs().length, faultsOfLog(run)]).toEqual([1, 1, []]);
  expect(timeless(rowsOf(run))).toEqual(timeless(rowsOf(newestRun(whole))));
  const asked = parts.read('asked.txt').trim().split('\n');
  expect(asked).toEqual(['right', 'wrong', 'slow and right', 'slow and right', 'right again']);
  // Who executes a run leaves what it executes as it was planned.
  expect(readFileSync(`${run}/spec.json`, 'utf8')).toBe(planned);
});
