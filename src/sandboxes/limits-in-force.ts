import { randomBytes } from 'node:crypto';

import type { ResourceLimits } from '../core/sandbox.ts';
import { OWN_TOKEN } from '../lib/process/own-token.ts';
import type { ChosenImage } from './choose-engine.ts';
import { createArguments } from './container-arguments.ts';
import { askEngine } from './engine.ts';
import { atOnce } from './left-containers.ts';
import { trackContainer } from './live-containers.ts';
import { ENGINE_LIMITS, limitArguments, type EngineLimit } from './resource-limits.ts';

/**
 * The limits of the settings that an engine enforces, found by a container which reads its own limits. Asked once for
 * each image and each set of limits.
 */
export async function limitsInForce(
  chosen: ChosenImage,
  { memoryMb, cpus, processes }: ResourceLimits,
): Promise<readonly EngineLimit[]> {
  const limits = { memoryMb, cpus, processes };
  const wanted = ENGINE_LIMITS.filter((name) => limits[name] !== undefined);
  if (wanted.length === 0) return [];
  const key = JSON.stringify([chosen.engine.command, chosen.id, limits]);
  const asked = known.get(key) ?? heldOf(chosen, limits, wanted);
  known.set(key, asked);
  return await asked;
}

const known = new Map<string, Promise<readonly EngineLimit[]>>();

/** An engine refuses to start a container if one limit is impossible. */
async function heldOf(
  chosen: ChosenImage,
  limits: ResourceLimits,
  wanted: readonly EngineLimit[],
): Promise<readonly EngineLimit[]> {
  const all = await readLimits(chosen, limitArguments(limits, wanted));
  if (all !== undefined) return wanted.filter((name) => isHeld(name, limits, all));
  const each: EngineLimit[] = [];
  for (const name of wanted) {
    const own = await readLimits(chosen, limitArguments(limits, [name]));
    if (own !== undefined && isHeld(name, limits, own)) each.push(name);
  }
  return each;
}

/** Values of the files of control groups, by path; undefined when the container did not start. */
async function readLimits(
  { engine, id: image, path: imagePath }: ChosenImage,
  limits: readonly string[],
): Promise<ReadonlyMap<string, string> | undefined> {
  const name = `assay-${OWN_TOKEN}-${randomBytes(4).toString('hex')}`;
  const { args, env } = createArguments(engine, {
    verb: 'create',
    name,
    forkSign: name,
    image,
    imagePath,
    start: { command: { shell: READ }, cwd: '/', env: {} },
    bound: [],
    network: 'none',
    mountsAgent: false,
    limits,
    diskMb: undefined,
  });
  const forget = trackContainer(name, engine);
  try {
    const made = await askEngine({ ...engine, env }, args);
    if (!made.isDone) return undefined;
    const { isDone, said } = await askEngine(engine, ['start', '--attach', name]);
    if (!isDone) return undefined;
    return new Map(said.split('\n').map((line) => line.split(' ') as [string, string]));
  } finally {
    await askEngine(engine, ['rm', '--force', '--volumes', ...atOnce(engine), name]);
    forget();
  }
}

/** The files of a limit: of version 2 of control groups, then of version 1. */
const FILES: Readonly<Record<EngineLimit, readonly string[]>> = {
  memoryMb: ['memory.max', 'memory/memory.limit_in_bytes'],
  cpus: ['cpu.max', 'cpu/cpu.cfs_quota_us'],
  processes: ['pids.max', 'pids/pids.max'],
};

/** Uses nothing but the shell. */
const READ = `for file in ${Object.values(FILES).flat().join(' ')}; do
if read -r value rest < "/sys/fs/cgroup/$file"; then echo "$file $value"; fi
done 2> /dev/null
exit 0`;

function isHeld(name: EngineLimit, limits: ResourceLimits, values: ReadonlyMap<string, string>): boolean {
  const found = FILES[name].flatMap((file) => values.get(file) ?? []).map(Number);
  const limit = limits[name] ?? Infinity;
  // The quota of processors depends on a period that the engine chooses.
  if (name === 'cpus') return found.some((value) => value > 0);
  return found.includes(name === 'memoryMb' ? limit * 2 ** 20 : limit);
}
