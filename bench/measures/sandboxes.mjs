import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../../scripts/lib/bundle.mjs';
import { makeImage, TEST_IMAGE } from '../../scripts/lib/container-image.mjs';
import { inRoot } from '../../scripts/lib/paths.mjs';
import { writeProgram, writeProject, writeSuite } from '../lib/inputs.mjs';
import { interleaved, median, noise } from '../lib/rounds.mjs';

/** Milliseconds that a trial may take longer than at the level `process`. */
const MOST_MORE_MS = { namespace: 60, container: 1500 };

/** The cost of each level of isolation that this machine has, and of the copy for graders. */
export async function sandboxes(context) {
  const lines = [];
  for (const sandbox of await levelsOf(context)) lines.push(await trials(context, sandbox));
  return { lines: [...lines, await copying(context)] };
}

/** The sandbox of each level that works here. That of containers gets its image first. */
async function levelsOf({ time, program }) {
  const { output } = await time([program, 'doctor', '--sandbox', '--json']);
  const works = JSON.parse(output).flatMap(({ level, state }) => (state === 'ok' ? [level] : []));
  const fault = works.includes('container') ? makeImage(TEST_IMAGE) : undefined;
  if (fault !== undefined)
    console.error(`no figure for containers: podman could not make an image: ${fault}`);
  return [
    ...(works.includes('namespace') ? [{ level: 'namespace' }] : []),
    ...(works.includes('container') && fault === undefined ? [CONTAINER] : []),
  ];
}

const CONTAINER = { level: 'container', engine: 'podman', image: TEST_IMAGE.name };

/** One more trial of a shell script in its own workspace, in sequence. */
async function trials({ runAssay, scratch, size }, sandbox) {
  const { level } = sandbox;
  const [few, many] = size.executions;
  const command = ['/bin/sh', './agent.sh'];
  const more = 'workspace:\n  template: ./template\n';
  const wallOf = (own) => {
    const bot = { type: 'cli', command, sandbox: own };
    const project = writeProject(scratch, `sandbox-${own.level}`, { bot });
    mkdirSync(join(project, 'template'), { recursive: true });
    writeProgram(join(project, 'template'), 'agent.sh');
    const [short, long] = [few, many].map((cases) => writeSuite(project, cases, more));
    return async () => {
      const of = async (suite) => (await runAssay(project, [suite, '--concurrency', '1'])).wallMs;
      return ((await of(long)) - (await of(short))) / (many - few);
    };
  };
  const rounds = await interleaved(size.rounds, {
    assay: wallOf(sandbox),
    floor: wallOf({ level: 'process' }),
  });
  return line(`one trial of a shell script at the level \`${level}\`, and at \`process\``, rounds, {
    mostMore: MOST_MORE_MS[level],
  });
}

/** The floor is `cp -a`. In memory where the system has such a folder: a slow disk takes seconds for `cp -a` too. */
async function copying({ time, scratch, size, floorScript }) {
  const memory = '/dev/shm';
  const place = mkdtempSync(join(existsSync(memory) ? memory : scratch, 'assay-bench-'));
  const source = join(place, 'source');
  for (let folder = 0; folder < 100; folder += 1) {
    mkdirSync(join(source, `${folder}`), { recursive: true });
    for (let n = 0; n < 100; n += 1)
      writeFileSync(join(source, `${folder}`, `${n}.txt`), `${n}\n`.repeat(100));
  }
  const module = join(place, 'snapshot.mjs');
  await bundle(inRoot('bench/lib/snapshot.ts'), module);
  const taken = async (...more) =>
    Number((await time([floorScript('snapshot'), source, join(place, 'copy'), ...more])).output);
  const rounds = await interleaved(size.rounds, { assay: () => taken(module), floor: () => taken() });
  rmSync(place, { recursive: true });
  return line('copying a workspace of 10,000 files for graders, and `cp -a`', rounds, { most: 1000 });
}

function line(name, { assay, floor }, rest) {
  const shared = { value: median(assay), floor: median(floor), unit: 'ms' };
  return { name, ...shared, noise: Math.max(noise(assay), noise(floor)), ...rest };
}
