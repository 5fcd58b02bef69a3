// The program that runs graders written as modules, one question after the other. Questions are lines on stdin, answers
// are lines with a secret first word. Output of the modules goes to stderr.
import process, { env, stderr, stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline';

import { isObject } from '../lib/json.ts';
import { importIntoOwnProcess } from '../lib/modules/import-module.ts';
import type { ModuleQuestion } from './kept-module.ts';

type Grade = (document: unknown) => unknown;

const word = process.argv.at(-1) ?? '';
const print = stdout.write.bind(stdout);
stdout.write = stderr.write.bind(stderr);
const own = { ...env };
const known = new Map<string, Grade>();

for await (const line of createInterface({ input: stdin, crlfDelay: Infinity })) {
  tell({ said: await saidBy(JSON.parse(line) as ModuleQuestion) });
}
process.exit();

async function saidBy({ check: { path }, facts: { document, variables } }: ModuleQuestion): Promise<unknown> {
  try {
    for (const name of Object.keys(env)) if (!(name in own)) delete env[name];
    Object.assign(env, own, variables);
    const answer = await (known.get(path) ?? (await loaded(path)))(document);
    if (!isObject(answer)) return { fault: `${path} returned ${String(answer)}, not { score, reason? }` };
    return { answer: JSON.stringify(answer) };
  } catch (error) {
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** To load a module may take long, and only the first time: the pool does not count that. */
async function loaded(path: string): Promise<Grade> {
  const { default: grader } = await importIntoOwnProcess(path);
  if (typeof grader !== 'function')
    throw new TypeError(
      `${path} has no grader: write export default defineGrader((input) => ({ score: 1 }))`,
    );
  known.set(path, grader as Grade);
  tell({ began: true });
  return grader as Grade;
}

/** On a line of its own, whatever the module wrote to the same file before. */
function tell(answer: object): void {
  print(`\n${word} ${JSON.stringify(answer)}\n`);
}
