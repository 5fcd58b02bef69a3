// The program that runs graders written as modules, one question after the other. Questions are lines on stdin, answers
// are lines on stdout with a secret first word. After each answer, that word is also a line on stderr.
import process, { chdir, env, stderr, stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline';

import { isObject } from '../lib/json.ts';
import { importIntoOwnProcess } from '../lib/modules/import-module.ts';
import { moduleLoader } from '../lib/modules/module-loader.ts';
import type { ModuleQuestion } from './kept-module.ts';

type Grade = (document: unknown) => unknown;

const word = process.argv.at(-1) ?? '';
const toStdout = stdout.write.bind(stdout);
const toStderr = stderr.write.bind(stderr);
const own = { ...env };
const directory = process.cwd();
const known = new Map<string, Grade>();

// Before there is a question: usually, this process is started a little earlier.
moduleLoader();
for await (const line of createInterface({ input: stdin, crlfDelay: Infinity })) {
  tell({ said: await saidBy(JSON.parse(line) as ModuleQuestion) });
}
process.exit();

async function saidBy({ check: { path }, facts: { document, variables } }: ModuleQuestion): Promise<unknown> {
  try {
    asNew(variables);
    const answer = await (known.get(path) ?? (await loaded(path)))(document);
    if (!isObject(answer)) return { fault: `${path} returned ${String(answer)}, not { score, reason? }` };
    return { answer: JSON.stringify(answer) };
  } catch (error) {
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** Undoes what earlier questions did to the process. */
function asNew(variables: Readonly<Record<string, string>>): void {
  chdir(directory);
  for (const name of Object.keys(env)) if (!(name in own)) delete env[name];
  Object.assign(env, own, variables);
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

/** On lines of their own, whatever the module wrote to the same file before. */
function tell(answer: object): void {
  toStdout(`\n${word} ${JSON.stringify(answer)}\n`);
  toStderr(`\n${word}\n`);
}
