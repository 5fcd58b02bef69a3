// The same in a fresh copy of a folder: copy, baseline, program, diff, removal, with the usual git commands.
//   node workspace.mjs EXECUTIONS TEMPLATE COMMAND...
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askProgram } from './ask-program.mjs';
import { CONTAINS, questionOf } from './cases.mjs';

const [executions, template, ...command] = process.argv.slice(2);
for (let number = 1; number <= Number(executions); number++) {
  const folder = mkdtempSync(join(tmpdir(), 'floor-'));
  const directory = join(folder, 'work');
  const git = (...args) => execFileSync('git', args, { cwd: directory, env: gitIn(folder) }).toString();
  cpSync(template, directory, { recursive: true });
  git('init', '--quiet');
  git('add', '--all');
  const before = git('write-tree').trim();
  const { text } = JSON.parse(await askProgram(command, questionOf(number), directory));
  git('add', '--all');
  const changes = git('diff', '--cached', before);
  rmSync(folder, { recursive: true });
  if (!text.includes(CONTAINS) || !changes.includes('+changed')) throw new Error(`wrong answer: ${text}`);
}

function gitIn(folder) {
  return { ...process.env, GIT_DIR: join(folder, 'git'), GIT_WORK_TREE: join(folder, 'work') };
}
