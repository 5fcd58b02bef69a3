// The part of `npm start` that shows a stored conversation: a model plays the visitor, another one judges. Both are
// scripted and on loopback, so no key is needed.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cache, inRoot } from '../lib/paths.mjs';
import { capture } from '../lib/run.mjs';

const folder = 'examples/test-cases';
const caseName = 'renew one book';
const trial = `stored/${caseName}/desk/r1`;

const opening = `assay run --stored ${folder} --case '${caseName}': a visitor and the desk of a library. A
model plays the visitor, who was told what to want and not what the desk should do; another model judges.
(Here both say what a script says. The desk is a small agent of this repository, and its tools are mocked.)
`;

/** Runs the conversation and prints it. Returns the exit code of the run. */
export async function showConversation() {
  mkdirSync(cache, { recursive: true });
  const copy = mkdtempSync(join(cache, 'start-'));
  const models = await startModels();
  try {
    // The port of the example may be in use.
    cpSync(inRoot(folder), copy, { recursive: true, filter: (path) => !path.includes('.assay') });
    replaceIn(join(copy, 'assay.config.yaml'), 'http://127.0.0.1:4010', models.url);
    return await told(copy);
  } finally {
    models.end();
    rmSync(copy, { recursive: true, force: true });
  }
}

async function told(copy) {
  const runs = inRoot(folder, '.assay/runs');
  const ran = await assay(['run', '--stored', copy, '--case', caseName, '--out', runs]);
  const run = /^Results: (.+)$/m.exec(ran.output)?.[1];
  if (ran.code !== 0 || run === undefined) return complain(ran);
  const shown = await assay(['show', run, '--trial', trial, '--json']);
  if (shown.code !== 0) return complain(shown);
  const { row, transcript } = JSON.parse(shown.output);
  console.log([opening, ...transcript.flatMap(linesOf), '', ...verdictOf(row)].join('\n'));
  console.log(`    assay show ${run} --trial '${trial}'\n`);
  return 0;
}

function complain({ code, output }) {
  console.error(output);
  return code || 1;
}

const assay = (args) => capture(process.execPath, [inRoot('dist/bin.js'), ...args]);

/** One entry of a transcript as lines of text. */
function linesOf(entry) {
  if (entry.type === 'tool-call') return [`           calls ${entry.name} ${JSON.stringify(entry.input)}`];
  if (entry.type !== 'message') return [];
  const who = entry.role === 'user' ? 'visitor' : 'desk';
  return [`  ${who.padEnd(8)} ${entry.parts.map(({ text }) => text).join(' ')}`];
}

function verdictOf({ verdict, overall, end, grades }) {
  const gates = grades.filter(({ required }) => required !== undefined);
  const held = gates.filter(({ passed }) => passed);
  return [
    `  ${verdict}: ${held.length} of ${gates.length} gates held, the judge's score is ${overall} of 100; ended by the ${end.by} (${end.reason})`,
    ...gates
      .filter(({ name }) => /outcome|expected/.test(name))
      .map(({ name, passed, reason }) => `    ${passed ? 'held' : 'failed'}  ${name}: ${reason}`),
  ];
}

/** The scripted models, on a free port. */
async function startModels() {
  const script = inRoot(folder, 'models.script.yaml');
  const args = [inRoot('dist/bin.js'), 'mock-server', '--port', '0', '--script', script];
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: server.stdout })) {
    const [url] = /http:\S+/.exec(line) ?? [];
    if (url !== undefined) return { url, end: () => server.kill() };
  }
  throw new Error('the scripted models did not start');
}

function replaceIn(path, before, after) {
  const text = readFileSync(path, 'utf8');
  if (!text.includes(before)) throw new Error(`${path} does not say ${before}`);
  writeFileSync(path, text.replace(before, after));
}
