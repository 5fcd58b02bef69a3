import { expect, test } from 'vitest';

import { newestRun, openProject } from './support/project.ts';

test('agents, graders and scripts are told where the run is kept', async () => {
  const tell = (who: string) => ['sh', '-c', `printf %s "$ASSAY_OUTPUT_DIR" > '${who}'; echo '{"score": 1}'`];
  await using project = openProject({});
  project.write({
    'some.eval.yaml': {
      tests: [
        {
          id: 'one',
          input: 'x',
          workspace: { setup: { script: tell(project.path('setup.txt')) } },
          assert: [{ type: 'code_judge', script: tell(project.path('grader.txt')) }],
        },
      ],
    },
    'assay.config.json': {
      targets: { agent: { type: 'cli', command: tell(project.path('agent.txt')) } },
    },
  });
  expect((await project.assay('run')).code).toBe(0);
  const run = newestRun(project);
  expect(['agent', 'grader', 'setup'].map((who) => project.read(`${who}.txt`))).toEqual([run, run, run]);
});
