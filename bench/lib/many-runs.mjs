import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { timed } from './child.mjs';
import { writeProject, writeSuite } from './inputs.mjs';

const made = new Map();

/** Creates many runs of five cases, once: one real run and copies of it. Returns { project, out }. */
export function manyRuns(context, count) {
  const key = `${context.scratch} ${count}`;
  if (!made.has(key)) made.set(key, makeRuns(context, count));
  return made.get(key);
}

async function makeRuns({ node, program, scratch, agent }, count) {
  const project = writeProject(scratch, `runs-${count}`, { bot: { type: 'http', url: agent.url(0) } });
  const out = join(project, 'runs');
  await timed(node, [program, 'run', writeSuite(project, 5), '--out', out], project);
  const [first] = readdirSync(out);
  for (let number = 1; number < count; number++) {
    const id = `20260101T${String(number).padStart(6, '0')}Z-aaaaaa`;
    cpSync(join(out, first), join(out, id), { recursive: true, preserveTimestamps: true });
  }
  return { project, out };
}
