// The program that runs a target written as a module: requests are lines on stdin, replies are lines with a secret
// first word. Output of the module itself goes to stderr.
import process, { stderr, stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline';

import { refuseDeep, TooDeep } from '../../lib/text/json-depth.ts';
import { withoutOwnFrames } from '../../lib/modules/own-frames.ts';
import { importIntoOwnProcess } from '../../lib/modules/import-module.ts';

const [path = '', word = '', mode = ''] = process.argv.slice(2);
const print = stdout.write.bind(stdout);
stdout.write = stderr.write.bind(stderr);

const OVER = 'the session is over';
/** By the number of its question. */
const running = new Map<number, AbortController>();
let isEnding = false;
process.on('SIGTERM', () => {
  isEnding = true;
  for (const stop of running.values()) stop.abort(new Error(OVER));
  if (running.size === 0) process.exit();
});

const agent = await load();
if (agent !== undefined) {
  reply({ ready: true });
  const lines = createInterface({ input: stdin, crlfDelay: Infinity });
  for await (const line of lines) {
    if (mode === 'kept') hear(line, agent);
    else await answer(JSON.parse(line), { ask: agent });
  }
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

/** A kept process answers many questions at once. */
function hear(line: string, ask: Agent): void {
  const { id, input, cancel } = JSON.parse(line) as {
    readonly id?: number;
    readonly input?: unknown;
    readonly cancel?: number;
  };
  if (cancel === undefined) void answer(input, { ask, id });
  else {
    running.get(cancel)?.abort(new Error(OVER));
    reply({ id: cancel, cancelled: true });
  }
}

/** The only question of a process of one session has the number 0 and none in its reply. */
async function answer(
  input: unknown,
  { ask, id }: { readonly ask: Agent; readonly id?: number | undefined },
): Promise<void> {
  const stop = new AbortController();
  running.set(id ?? 0, stop);
  const place = id === undefined ? {} : { id };
  try {
    const given = await ask(input, { signal: stop.signal });
    print(said(given, place));
  } catch (error) {
    reply({ ...place, thrown: wordsOf(error) });
  }
  running.delete(id ?? 0);
  if (isEnding && running.size === 0) process.exit();
}

/** An answer of a module can contain code too: getters, and values that JSON cannot represent. */
function said(given: unknown, place: object): string {
  try {
    refuseDeep(given);
    return lineOf({ ...place, answer: given });
  } catch (error) {
    if (error instanceof TooDeep) return lineOf({ ...place, tooDeep: error.message });
    return lineOf({ ...place, unreadable: error instanceof Error ? error.message : String(error) });
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
