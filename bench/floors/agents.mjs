// A plain harness for coding agents, ten in parallel: spawn, a private home, JSON lines, one assertion, one line per case.
//   node agents.mjs PROGRAM EXECUTIONS
import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pLimit from 'p-limit';
import { CONTAINS, questionOf } from './cases.mjs';

const [program, executions] = process.argv.slice(2);
const results = join(mkdtempSync(join(tmpdir(), 'floor-')), 'results.jsonl');
const limit = pLimit(10);
await Promise.all(
  Array.from({ length: Number(executions) }, (_, index) => limit(() => execution(index + 1))),
);
rmSync(join(results, '..'), { recursive: true });

async function execution(number) {
  const home = mkdtempSync(join(tmpdir(), 'floor-home-'));
  const answer = await ask(questionOf(number), home);
  rmSync(home, { recursive: true });
  if (!answer.includes(CONTAINS)) throw new Error(`wrong answer: ${answer}`);
  appendFileSync(results, `${JSON.stringify({ number, answer, passed: true })}\n`);
}

async function ask(prompt, home) {
  const env = { PATH: process.env.PATH, HOME: home };
  const stdio = ['ignore', 'pipe', 'inherit'];
  const child = spawn(program, ['-p', '--', prompt], { cwd: home, env, stdio });
  let answer = '';
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line);
    if (event.type === 'result') answer = event.result;
  }
  return answer;
}
