import { execFileSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { openProject, type Project } from './support/project.ts';

const COMMITS = `git init -q && git add -A && git -c user.name=x -c user.email=x@y commit -q --allow-empty -m damage`;

/** A repository with a linked worktree, whose hooks get the variables of git. */
function linkedWorktree(project: Project) {
  const git = (...args: string[]) =>
    execFileSync(
      'git',
      ['-C', project.path('repository'), '-c', 'user.name=a', '-c', 'user.email=a@b', ...args],
      {
        encoding: 'utf8',
      },
    );
  execFileSync('git', ['init', '-q', '-b', 'main', project.path('repository')]);
  git('commit', '-q', '--allow-empty', '-m', 'first');
  git('worktree', 'add', '-q', '-b', 'linked', project.path('linked'));
  const hooks = {
    GIT_DIR: project.path('repository/.git/worktrees/linked'),
    GIT_INDEX_FILE: project.path('repository/.git/worktrees/linked/index'),
    GIT_WORK_TREE: project.path('linked'),
    GIT_PREFIX: '',
  };
  return { hooks, state: () => [git('log', '--all', '--format=%s'), git('config', '--list', '--local')] };
}

test('started from a git hook, no program of a run reaches the repository of the hook', async () => {
  await using project = openProject({
    'a.suite.mjs': `import { execFileSync } from 'node:child_process';
      export const workspace = { mode: 'isolated', bootstrap: { command: 'sh', args: ['-c', ${JSON.stringify(COMMITS)}] } };
      export default [{ id: 'one', prompt: 'x', assert(report) {
        execFileSync('sh', ['-c', ${JSON.stringify(COMMITS)}], { cwd: report.workspace.directory });
      } }];`,
    'b.eval.yaml': {
      workspace: {
        setup: { script: ['sh', '-c', `cd "$ASSAY_WORKSPACE" && ${COMMITS}`] },
        teardown: { script: ['sh', '-c', `cd "$ASSAY_WORKSPACE" && ${COMMITS}`] },
      },
      tests: [
        {
          id: 'two',
          input: 'x',
          assert: [
            {
              type: 'code_judge',
              script: ['sh', '-c', `cd "$ASSAY_WORKSPACE" && ${COMMITS} && echo '{"score": 1}'`],
            },
          ],
        },
      ],
    },
    'assay.config.json': {
      targets: {
        agent: { type: 'cli', command: ['sh', '-c', `cd "$ASSAY_WORKSPACE" && ${COMMITS} && echo done`] },
      },
    },
    '.env': `GIT_COMMON_DIR=/nowhere\n`,
  });
  const { hooks, state } = linkedWorktree(project);
  const before = state();
  const ended = await project.start(['run'], hooks).ended;
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
  expect(state()).toEqual(before);
});
