// `npm run bench`: the cost of assay compared with the same work by hand, on this machine. A measurement, not a
// gate: it exits with 1 only if something could not be measured.
//   npm run bench [-- --quick] [--only NAME or NAME/PART] [--node 20|24] [--program FILE] [--functions]
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { inRoot } from '../scripts/lib/paths.mjs';
import { nodeOf } from '../scripts/node-versions.mjs';
import { startLoopback } from './lib/loopback.mjs';
import { markdownTable } from './lib/table.mjs';
import { head, rowOf } from './lib/verdict.mjs';
import { agents } from './measures/agents.mjs';
import { checks } from './measures/checks.mjs';
import { compare } from './measures/compare.mjs';
import { contextOf } from './measures/context.mjs';
import { conversations } from './measures/conversations.mjs';
import { dashboard } from './measures/dashboard.mjs';
import { editing } from './measures/editing.mjs';
import { growth } from './measures/growth.mjs';
import { judges } from './measures/judges.mjs';
import { layers } from './measures/layers.mjs';
import { manyAgents } from './measures/many-agents.mjs';
import { matrix } from './measures/matrix.mjs';
import { modelCalls } from './measures/model-calls.mjs';
import { processor } from './measures/processor.mjs';
import { programs } from './measures/programs.mjs';
import { sandboxes } from './measures/sandboxes.mjs';
import { start } from './measures/start.mjs';
import { store } from './measures/store.mjs';
import { stored } from './measures/stored.mjs';
import { view } from './measures/view.mjs';
import { wall } from './measures/wall.mjs';
import { watch } from './measures/watch.mjs';
import { workers } from './measures/workers.mjs';

const measures = {
  start,
  wall,
  programs,
  processor,
  layers,
  growth,
  'model-calls': modelCalls,
  judges,
  checks,
  watch,
  matrix,
  conversations,
  compare,
  stored,
  store,
  view,
  agents,
  'many-agents': manyAgents,
  sandboxes,
  dashboard,
  editing,
  workers,
};

const sizes = {
  full: {
    rounds: 5,
    startRounds: 15,
    marginal: [1000, 10_000],
    growth: [10_000, 100_000],
    executions: [20, 220],
    scripts: [5, 35],
    workspaces: [5, 35],
    together: [20, 220],
    profiled: 10_000,
    judged: [100, 1100],
    talked: [200, 5000],
    compared: 100_000,
    listed: 1000,
    kept: 100_000,
    asked: 400,
    told: 5000,
    logMb: 1000,
    shown: 10_000,
    followed: 10_000,
    streamMb: 50,
    busy: [8, 208],
    lasting: [200, 2000],
    shared: { many: 10_000, windowMs: 15_000, jobs: 2000, growth: [10_000, 100_000] },
  },
  quick: {
    rounds: 3,
    startRounds: 7,
    marginal: [1000, 3000],
    growth: [2000, 10_000],
    executions: [10, 60],
    scripts: [2, 12],
    workspaces: [3, 13],
    together: [10, 60],
    profiled: 3000,
    judged: [50, 350],
    talked: [200, 1000],
    compared: 10_000,
    listed: 200,
    kept: 20_000,
    asked: 200,
    told: 1000,
    logMb: 100,
    shown: 10_000,
    followed: 3000,
    streamMb: 10,
    busy: [8, 48],
    lasting: [20, 200],
    shared: { many: 960, windowMs: 4000, jobs: 400, growth: [2000, 10_000] },
  },
};

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    node: { type: 'string' },
    program: { type: 'string' },
    functions: { type: 'boolean', default: false },
  },
});
const known = Object.entries(measures).flatMap(([name, { parts = [] }]) => [
  name,
  ...parts.map((part) => `${name}/${part}`),
]);
const unknown = options.only?.filter((name) => !known.includes(name)) ?? [];
if (unknown.length > 0) {
  console.error(`unknown measure: ${unknown.join(', ')}; known: ${known.join(', ')}`);
  process.exit(2);
}

const own = process.versions.node.split('.')[0];
const majors =
  options.node === undefined ? [own, ...(options.quick || own === '24' ? [] : ['24'])] : [options.node];
const agent = await startLoopback();
try {
  for (const major of majors) await measureOn(major === own ? process.execPath : await nodeOf(major), major);
} finally {
  agent.stop();
}

async function measureOn(node, major) {
  const scratch = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const context = contextOf({
    node,
    agent,
    scratch,
    program: resolve(options.program ?? inRoot('dist/bin.js')),
    functions: options.functions,
    size: options.quick ? sizes.quick : sizes.full,
  });
  console.log(`\n## Node ${major}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}\n`);
  const rows = [];
  const texts = [];
  const found = {};
  for (const [name, measure] of Object.entries(measures)) {
    const parts = partsOf(name, measure);
    if (parts === undefined) continue;
    const startedAt = performance.now();
    try {
      found[name] = await measure({ ...context, parts, tell }, found);
      rows.push(...(found[name].lines ?? []).map(rowOf));
      if (found[name].text !== undefined) texts.push(found[name].text);
    } catch (error) {
      process.exitCode = 1;
      rows.push([name, 'not measured', '', '', '', '', '']);
      console.error(`${name} could not be measured: ${error.message}`);
    }
    console.error(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  }
  rmSync(scratch, { recursive: true, force: true });
  if (rows.length > 0) console.log(markdownTable(head, rows));
  for (const text of texts) console.log(`\n${text}`);
}

/** Prints a figure as soon as it is known: a measure may be ended before its last one. */
function tell(line) {
  console.log(rowOf(line).join(' | '));
}

/** The parts of a measure that are to be measured. Undefined: none, and not the rest of it. */
function partsOf(name, { parts = [] }) {
  if (options.only === undefined || options.only.includes(name)) return parts;
  const chosen = parts.filter((part) => options.only.includes(`${name}/${part}`));
  return chosen.length === 0 ? undefined : chosen;
}
