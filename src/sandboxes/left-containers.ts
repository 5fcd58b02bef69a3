import { ownPidSpace } from '../lib/process/pid-space.ts';
import { startOf } from '../lib/process/process-table.ts';
import { askEngine, type Engine } from './engine.ts';

/** The label that says which process made a container. */
const LABEL = 'assay.process';

/** The label for containers and images of this process. */
export function processLabel(): string {
  return `${LABEL}=${[spaceOfIds(), process.pid, startOf(process.pid)].join(' ')}`;
}

/** Removes the containers of processes on this machine that were killed. */
export async function removeLeftContainers(engine: Engine, signal: AbortSignal): Promise<void> {
  const left = await leftOf(engine, { list: ['ps', '--all', '--quiet'], inspect: ['inspect'] }, signal);
  if (left.length > 0) await askEngine(engine, ['rm', '--force', '--volumes', ...atOnce(engine), ...left]);
}

/** Removes the images that killed processes had made to try an engine. */
export async function removeLeftImages(engine: Engine, signal: AbortSignal): Promise<void> {
  const left = await leftOf(engine, { list: ['images', '--quiet'], inspect: ['image', 'inspect'] }, signal);
  if (left.length > 0) await askEngine(engine, ['rmi', '--force', ...left]);
}

interface Listing {
  readonly list: readonly string[];
  readonly inspect: readonly string[];
}

/** The ids of what has the label of a process on this machine that has ended. */
async function leftOf(
  engine: Engine,
  { list, inspect }: Listing,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const listed = await askEngine(engine, [...list, '--filter', `label=${LABEL}`], { signal });
  const ids = [...new Set(listed.said.split('\n').filter((id) => id !== ''))];
  if (ids.length === 0) return [];
  const format = `{{.Id}} {{index .Config.Labels "${LABEL}"}}`;
  const { said } = await askEngine(engine, [...inspect, '--format', format, ...ids]);
  return said.split('\n').flatMap((line) => {
    const [id = '', space, pid, started] = line.split(' ');
    // Elsewhere, the same id is another process.
    const isOfHere = space !== UNKNOWN && space === spaceOfIds();
    return isOfHere && startOf(Number(pid)) !== Number(started) ? [id] : [];
  });
}

function spaceOfIds(): string {
  return ownPidSpace()?.replaceAll(' ', '_') ?? UNKNOWN;
}

const UNKNOWN = 'unknown';

/** podman would wait for the program. */
export function atOnce({ kind }: Engine): readonly string[] {
  return kind === 'podman' ? ['--time', '0'] : [];
}
