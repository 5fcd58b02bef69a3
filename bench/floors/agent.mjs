// A coding agent in a fresh copy of a folder: copy, repository with a first commit, program, its lines, diff, removal.
//   node agent.mjs PROGRAM EXECUTIONS TEMPLATE
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CONTAINS, questionOf } from './cases.mjs';

const AUTHOR = ['-c', 'user.name=floor', '-c', 'user.email=floor@localhost'];
const [program, executions, template] = process.argv.slice(2);
for (let number = 1; number <= Number(executions); number++) {
  const folder = mkdtempSync(join(tmpdir(), 'floor-'));
  const directory = join(folder, 'work');
  const git = (...args) => execFileSync('git', [...AUTHOR, ...args], { cwd: directory }).toString();
  cpSync(template, directory, { recursive: true });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Start');
  const answer = await ask(questionOf(number), directory);
  git('add', '--all');
  const changes = git('diff', '--cached', 'HEAD');
  rmSync(folder, { recursive: true });
  if (!answer.includes(CONTAINS) || !changes.includes('+changed')) throw new Error(`wrong answer: ${answer}`);
}

async function ask(prompt, cwd) {
  const child = spawn(program, ['-p', '--', prompt], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  let answer = '';
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line);
    if (event.type === 'result') answer = event.result;
  }
  return answer;
}
