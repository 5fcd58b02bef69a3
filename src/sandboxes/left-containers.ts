import { ownPidSpace } from '../lib/process/pid-space.ts';
import { startOf } from '../lib/process/process-table.ts';
import { askEngine, type Engine } from './engine.ts';

/** The label that says which process made a container. */
const LABEL = 'assay.process';

/** The label for containers of this process. */
export function processLabel(): string {
  return `${LABEL}=${[spaceOfIds(), process.pid, startOf(process.pid)].join(' ')}`;
}

/** Removes the containers of processes on this machine that were killed. */
export async function removeLeftContainers(engine: Engine): Promise<void> {
  const listed = await askEngine(engine, ['ps', '--all', '--quiet', '--filter', `label=${LABEL}`]);
  const ids = listed.said.split('\n').filter((id) => id !== '');
  if (ids.length === 0) return;
  const format = `{{.Id}} {{index .Config.Labels "${LABEL}"}}`;
  const { said } = await askEngine(engine, ['inspect', '--format', format, ...ids]);
  const left = said.split('\n').flatMap((line) => {
    const [id = '', space, pid, started] = line.split(' ');
    // Elsewhere, the same id is another process.
    const isOfHere = space !== UNKNOWN && space === spaceOfIds();
    return isOfHere && startOf(Number(pid)) !== Number(started) ? [id] : [];
  });
  if (left.length > 0) await askEngine(engine, ['rm', '--force', '--volumes', ...atOnce(engine), ...left]);
}

function spaceOfIds(): string {
  return ownPidSpace()?.replaceAll(' ', '_') ?? UNKNOWN;
}

const UNKNOWN = 'unknown';

/** podman would wait for the program. */
export function atOnce({ kind }: Engine): readonly string[] {
  return kind === 'podman' ? ['--time', '0'] : [];
}
