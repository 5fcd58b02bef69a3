import { expect, test } from 'vitest';

import { outcomeOf } from './support/outcome.ts';
import { newestRun, openProject, rowOf, type Project } from './support/project.ts';
import { processesWith } from './support/leftovers.ts';

const RESTORED = { template: './template', restore: ['tests/**'] };

/** Runs the tests of the workspace, again and again for as long as a slow test suite takes. */
const GRADER = {
  type: 'code_judge',
  script: [
    'sh',
    '-c',
    `cd "$ASSAY_WORKSPACE"; i=0; until sh tests/run.sh; do i=$((i+1)); [ $i -lt 200 ] || break; done
     if [ $i -lt 200 ]; then echo '{"score": 1}'; else echo '{"score": 0}'; fi`,
  ],
};

/** A child without the marker, in a session of its own, that nothing waits for. */
const escaping = (script: string) =>
  `env -i PATH="$PATH" W="$ASSAY_WORKSPACE" setsid sh -c '${script}' > /dev/null 2>&1 < /dev/null &
   while [ ! -e "$ASSAY_WORKSPACE/escaped" ]; do :; done; echo done`;

/** Fakes the tests for good. */
const FORGES = `: > "$W/escaped"; while :; do echo true > "$W/tests/run.sh"; sleep 0.01; done`;

/** Fakes them for a moment each time, and puts everything back. */
const SWAPS = `cp "$W/tests/run.sh" "$W/good"; : > "$W/escaped"
  while :; do echo true > "$W/tests/run.sh"; sleep 0.01; cp "$W/good" "$W/tests/run.sh"; sleep 0.01; done`;

async function graded(script: string) {
  const project = openProject({
    'template/tests/run.sh': 'test -e solved\n',
    'a.eval.yaml': {
      tests: [{ id: 'one', input: 'x', workspace: RESTORED, assert: [GRADER] }],
    },
    'assay.config.json': {
      targets: { agent: { type: 'cli', command: ['sh', '-c', escaping(script)] } },
    },
  });
  const ended = await project.assay('run');
  return { project, ended, row: rowOf(newestRun(project), 'one') };
}

const strays = (project: Project) => processesWith(project.marker).map(({ command }) => command);

test('a child that escaped into the workspace is ended before grading, and passes no test', async () => {
  const { project, row } = await graded(`cd "$W"; ${FORGES}`);
  await using _ = project;
  expect(outcomeOf(row)).toMatchObject({ verdict: 'failed', score: 0 });
  expect(row.notes).toEqual([
    expect.stringMatching(/^\d programs? left running by the agent in the workspace w(as|ere) ended$/),
  ]);
  expect(strays(project)).toEqual([]);
});

test.each([
  ['rewrites a restored file', `cd /; ${FORGES}`],
  ['rewrites a restored file and puts it back', `cd /; ${SWAPS}`],
])('a child that works elsewhere and %s while it is graded passes no test', async (_, script) => {
  const { project, ended, row } = await graded(script);
  await using __ = project;
  // Graders read a copy, which the child does not write to. It may still write while the copy is made.
  const isFailed = row.verdict === 'failed';
  const tampered = {
    verdict: 'errored',
    score: null,
    stage: expect.stringMatching(/^(workspace|grading)$/) as string,
    kind: 'tampered',
  };
  expect(outcomeOf(row)).toMatchObject(isFailed ? { verdict: 'failed', score: 0 } : tampered);
  expect(row.error?.message ?? 'tests/run.sh').toContain('tests/run.sh');
  expect(ended.code).toBe(isFailed ? 1 : 3);
});
