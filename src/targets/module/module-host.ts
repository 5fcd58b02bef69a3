// The program that runs a target written as a module: requests are lines on stdin, replies are lines with a secret
// first word. Output of the module itself goes to stderr.
import process, { stderr, stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline';

import { refuseDeep, TooDeep } from '../../lib/text/json-depth.ts';
import { withoutOwnFrames } from '../../lib/modules/own-frames.ts';
import { importIntoOwnProcess } from '../../lib/modules/import-module.ts';

const [path = '', word = ''] = process.argv.slice(2);
const print = stdout.write.bind(stdout);
stdout.write = stderr.write.bind(stderr);

const stop = new AbortController();
let isAnswering = false;
process.on('SIGTERM', () => {
  stop.abort(new Error('the session is over'));
  if (!isAnswering) process.exit();
});

const agent = await load();
if (agent !== undefined) {
  reply({ ready: true });
  for await (const line of createInterface({ input: stdin, crlfDelay: Infinity })) await answer(line, agent);
}
process.exit();

type Agent = (input: unknown, options: { readonly signal: AbortSignal }) => unknown;

async function load(): Promise<Agent | undefined> {
  try {
    const { default: found } = await importIntoOwnProcess(path);
    if (typeof found === 'function') return found as Agent;
    reply({ noAgent: true });
  } catch (error) {
    reply({ thrown: wordsOf(error) });
  }
  return undefined;
}

async function answer(line: string, ask: Agent): Promise<void> {
  isAnswering = true;
  try {
    const given = await ask(JSON.parse(line), { signal: stop.signal });
    print(said(given));
  } catch (error) {
    reply({ thrown: wordsOf(error) });
  }
  isAnswering = false;
  if (stop.signal.aborted) process.exit();
}

/** An answer of a module can contain code too: getters, and values that JSON cannot represent. */
function said(given: unknown): string {
  try {
    refuseDeep(given);
    return lineOf({ answer: given });
  } catch (error) {
    if (error instanceof TooDeep) return lineOf({ tooDeep: error.message });
    return lineOf({ unreadable: error instanceof Error ? error.message : String(error) });
  }
}

function reply(message: object): void {
  print(lineOf(message));
}

function lineOf(message: object): string {
  return `\n${word} ${JSON.stringify(message)}\n`;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? withoutOwnFrames(error.stack ?? error.message) : String(error);
}
