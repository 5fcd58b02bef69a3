import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measuredRun, timed } from '../lib/child.mjs';
import { writeProject, writeSuite } from '../lib/inputs.mjs';

const floorScript = (name) => fileURLToPath(new URL(`../floors/${name}.mjs`, import.meta.url));

/**
 * The context of every measure.
 * @param setting { node, program, scratch, agent, size }: the Node to use, assay's program, a temporary
 *   folder, the loopback agent, and the sizes of the measures
 */
export function contextOf(setting) {
  const { node, program, scratch, agent } = setting;
  const suites = new Map();

  const httpProject = (delayMs) =>
    writeProject(scratch, `http-${delayMs}`, { bot: { type: 'http', url: agent.url(delayMs) } });

  /** Runs assay over `cases` cases on the `http` target. Also returns the disk usage. */
  async function assay(cases, { delayMs = 20, concurrency = 50, flags = [] } = {}) {
    const project = httpProject(delayMs);
    const key = `${project} ${cases}`;
    if (!suites.has(key)) suites.set(key, writeSuite(project, cases));
    return runAssay(project, [suites.get(key), '--concurrency', String(concurrency)], flags);
  }

  /** `assay run` in a folder. Measures and removes its output. */
  async function runAssay(project, args, nodeFlags = []) {
    const out = join(project, 'runs');
    const found = await measuredRun(node, [...nodeFlags, program, 'run', ...args, '--out', out], project);
    const disk = sizeOf(out);
    rmSync(out, { recursive: true });
    return { ...found, ...disk };
  }

  /** Runs a floor: `fetch` or `node-http`. */
  async function floor(name, cases, { delayMs = 20, concurrency = 50 } = {}) {
    const file = join(scratch, `${name}.jsonl`);
    const args = [floorScript(name), agent.url(delayMs), String(cases), String(concurrency), file];
    const found = await measuredRun(node, args, scratch);
    rmSync(file);
    return found;
  }

  return {
    ...setting,
    assay,
    runAssay,
    floor,
    time: (args, cwd = scratch) => timed(node, args, cwd),
    floorScript,
  };
}

function sizeOf(folder) {
  let files = 0;
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    files += 1;
    bytes += statSync(join(entry.parentPath, entry.name)).size;
  }
  return { files, bytes };
}
