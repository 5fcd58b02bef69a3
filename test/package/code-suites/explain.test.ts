import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { newestRun, rowOf, type Project } from '../../e2e/support/project.ts';
import { until } from '../../e2e/support/until.ts';
import { claudeTurn } from '../../support/claude-lines.ts';
import { startsIn, type FakePlan } from '../../support/fake-agent.ts';
import { ISOLATED, jsonIn, played, REPLAY, suite } from '../support/suites.ts';

const ASKS = `assert(report) {
  const about = (question) => ({ explain: { question } });
  assert.soft.commands.includes(report, 'pnpm', about('first?'));
  assert.soft.output.includes(report, 'thanks', about((ctx) => 'second, after ' + ctx.finalOutput() + '?'));
  assert.soft.skills.has(report, 'pdf', about('third?'));
}`;
const QUESTIONS = ['first?', 'second, after DONE: wrote answer.txt?', 'third?'];
const SESSION = {
  folder: '.claude/projects/-w',
  file: 'a2c07952-da63-46b7-92ac-e3381d0103b3.jsonl',
  text: '{}\n',
};

const asked = (plan: FakePlan = {}) =>
  played({
    plans: (path) => ({
      agent: {
        ...REPLAY,
        session: SESSION,
        seen: path('seen.jsonl'),
        resumed: { to: 0, after: claudeTurn({ answer: 'Because.' }), stderr: 'thinking' },
        ...plan,
      },
    }),
    files: { 'a.suite.ts': suite({ why: ASKS }, ISOLATED) },
  });

const attemptOf = (project: Project) =>
  join(newestRun(project), rowOf(newestRun(project), 'why').artifactDir ?? '');

const answersIn = (attempt: string) => {
  if (!existsSync(join(attempt, 'explanations.json'))) return [];
  const { rounds } = jsonIn(attempt, 'explanations.json') as {
    rounds: readonly { answers: readonly { question: string; answer?: string }[] }[];
  };
  return rounds.flatMap(({ answers }) => answers.map(({ question, answer }) => [question, answer]));
};

test.concurrent('three questions get three answers and three folders of raw files', async () => {
  await using project = asked();
  expect((await project.assay('run')).code).toBe(1);
  const ended = await project.assay('explain', newestRun(project));
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  const attempt = attemptOf(project);
  expect(answersIn(attempt)).toEqual(QUESTIONS.map((question) => [question, 'Because.']));
  const round = join(attempt, 'explain/round-1');
  expect(readdirSync(round).toSorted()).toEqual(['question-01', 'question-02', 'question-03']);
  for (const folder of readdirSync(round))
    expect(readdirSync(join(round, folder))).toEqual(expect.arrayContaining(['stdout.log', 'stderr.log']));
  const [first, ...turns] = startsIn(project.path('seen.jsonl'));
  expect(turns.map(({ args, cwd }) => [args.includes('--resume'), args.at(-1), cwd])).toEqual(
    QUESTIONS.map((question) => [true, question, first?.cwd]),
  );
});

test.concurrent('killed after the second answer, two are on disk', async () => {
  await using project = asked({ byPrompt: { 'third?': { to: 0, silentMs: 600_000, after: [] } } });
  expect((await project.assay('run')).code).toBe(1);
  const attempt = attemptOf(project);
  const asking = project.start(['explain', attempt]);
  await until('two answers', () => answersIn(attempt).length === 2);
  asking.kill('SIGKILL');
  await asking.ended;
  expect(answersIn(attempt)).toEqual(QUESTIONS.slice(0, 2).map((question) => [question, 'Because.']));
});
