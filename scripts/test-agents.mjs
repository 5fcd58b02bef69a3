// `npm run test:agents [-- TYPE...]`: the real programs of coding agents, installed from npm below .cache, each driven
// through the built program by a scripted model on loopback. Prints a table; fails when an installed agent falls short.
// With `--sandbox` the agents run in namespaces, with `--sandbox container` in containers of podman. With `--record` it
// writes recordings to the fixtures of their adapters instead.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CANARY, strayCommand } from './agents/checks.mjs';
import { installed, withPath } from './agents/install.mjs';
import { startScriptedModel } from './agents/model.mjs';
import { agents, ripgrep } from './agents/programs.mjs';
import { record } from './agents/record.mjs';
import { checksOf, writeAgentProject } from './agents/project.mjs';
import { printTable } from './agents/table.mjs';
import { AGENTS_IMAGE, makeImage } from './lib/container-image.mjs';
import { inRoot } from './lib/paths.mjs';
import { capture, run } from './lib/run.mjs';
import { nodeOf } from './node-versions.mjs';

const LEVELS = ['process', 'namespace', 'container'];

/** `--sandbox` without a level. */
const isBareSandbox = (word, next) => word === '--sandbox' && !LEVELS.includes(next);

const { values: flags, positionals: wanted } = parseArgs({
  args: process.argv
    .slice(2)
    .map((word, at, all) => (isBareSandbox(word, all[at + 1]) ? `${word}=namespace` : word)),
  options: { record: { type: 'boolean', default: false }, sandbox: { type: 'string', default: 'process' } },
  allowPositionals: true,
});
const { record: isRecording, sandbox: level } = flags;
if (!LEVELS.includes(level)) {
  console.error(`unknown level: ${level}; known: ${LEVELS.join(', ')}`);
  process.exit(2);
}
const unknown = wanted.filter((type) => agents[type] === undefined);
if (unknown.length > 0) {
  console.error(`unknown agent: ${unknown.join(', ')}; known: ${Object.keys(agents).join(', ')}`);
  process.exit(2);
}
const setupCode = await run(process.execPath, [inRoot('scripts/setup.mjs')]);
if (setupCode !== 0) process.exit(setupCode);
const imageFault = level === 'container' ? makeImage(AGENTS_IMAGE) : undefined;
if (imageFault !== undefined) {
  console.error(`podman could not make the image of the agents: ${imageFault}`);
  process.exit(1);
}

const scratch = mkdtempSync(join(tmpdir(), 'assay-test-agents-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const model = await startScriptedModel();
const rg = await installed(ripgrep.package, ripgrep.programs);
if (rg.missing) console.log(`NOT INSTALLED ${ripgrep.package}: ${rg.missing}`);

const results = [];
for (const type of wanted.length > 0 ? wanted : Object.keys(agents))
  results.push(await (isRecording ? recordAgent(type) : tryAgent(type)));
await model.close();
if (!isRecording) printTable(results);
process.exitCode = results.some(({ faults }) => Object.values(faults).some((fault) => fault !== undefined))
  ? 1
  : 0;

async function recordAgent(type) {
  const { missing, assay } = await opened(type, join(scratch, type));
  const fault = missing ?? (await record({ type, url: model.url, folder: join(scratch, type), assay }));
  console.log(fault === undefined ? `recorded ${type}` : `NOT RECORDED ${type}: ${fault}`);
  return { faults: { record: fault } };
}

async function tryAgent(type) {
  const agent = agents[type];
  const project = writeAgentProject(scratch, type, { url: model.url, level });
  const { missing, assay } = await opened(type, project);
  if (missing) return { type, missing, faults: {} };
  const startedAt = performance.now();
  const runs = join(project, 'runs');
  const ended = await assay('run', '--out', runs, '--quiet');
  const { rows, log, targets } = resultsIn(runs);
  const strays = await processesWith(strayCommand);
  await assay('explain', runs);
  const seen = { home: process.env.HOME, strays, answers: answersIn(runs) };
  const faults = Object.fromEntries(
    checksOf(type, level).map(([id, { fault }]) => {
      const row = rows.find(({ caseId }) => caseId === id);
      if (row === undefined)
        return [id, `no result: ${ended.output.trim().split('\n').slice(0, 3).join(' ')}`];
      return [id, fault({ ...seen, row, log: log(row) })];
    }),
  );
  return {
    type,
    version: targets[0]?.versions?.[agent.program],
    faults,
    seconds: (performance.now() - startedAt) / 1000,
  };
}

/** The built program in a project that can find the agent, or why the agent cannot be installed. */
async function opened(type, project) {
  const agent = agents[type];
  const had = await installed(agent.package);
  if (had.missing) return { missing: `${agent.package}: ${had.missing}` };
  const node = await runtimeFor(agent);
  const path = withPath([had.programs, ...(rg.programs ? [rg.programs] : []), ...node]);
  const env = { ...process.env, PATH: path, ASSAY_TEST_CANARY: CANARY };
  const assay = (...args) =>
    capture(process.execPath, [inRoot('dist/bin.js'), ...args], { cwd: project, env });
  return { assay };
}

/** Folders to put first on PATH, for agents that need a newer Node. */
async function runtimeFor({ node = 0 }) {
  if (Number(process.versions.node.split('.')[0]) >= node) return [];
  return [join(await nodeOf('24'), '..')];
}

function resultsIn(runs) {
  const linesOf = (file) => readFileSync(file, 'utf8').trimEnd().split('\n');
  try {
    const newest = join(runs, readdirSync(runs).find((name) => !name.startsWith('.')) ?? '');
    const events = linesOf(join(newest, 'events.jsonl'));
    const manifest = JSON.parse(readFileSync(join(newest, 'run.json'), 'utf8'));
    return {
      rows: linesOf(join(newest, 'results.jsonl')).map((line) => JSON.parse(line)),
      log: ({ caseId }) =>
        events.filter((line) => line.includes(JSON.stringify(caseId).slice(1, -1))).join('\n'),
      targets: manifest.targets,
    };
  } catch {
    return { rows: [], log: () => '', targets: [] };
  }
}

/** The agent's answers about its failed check. */
function answersIn(folder) {
  const file = readdirSync(folder, { recursive: true }).find((path) => path.endsWith('explanations.json'));
  if (file === undefined) return [];
  return JSON.parse(readFileSync(join(folder, file), 'utf8')).rounds.flatMap(({ answers }) => answers);
}

async function processesWith(command) {
  const { output } = await capture('ps', ['-eo', 'pid=,args=']);
  return output.split('\n').filter((line) => line.trim().endsWith(command));
}
