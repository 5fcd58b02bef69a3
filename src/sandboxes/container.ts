import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { MeasurementError } from '../core/errors.ts';
import type { Entered, ProgramEnd, ProgramStart, Room } from '../core/sandbox.ts';
import type { Sandbox, SandboxPlace, SandboxSettings } from '../core/sandbox.ts';
import { removeTree } from '../lib/files/remove-tree.ts';
import { temporaryFolder } from '../lib/files/temporary-folder.ts';
import { OWN_TOKEN } from '../lib/process/own-token.ts';
import { allowedPlaces } from './allowed-places.ts';
import { chosenImage, type ChosenImage } from './choose-engine.ts';
import { createArguments } from './container-arguments.ts';
import { containerForwarders } from './container-forwarders.ts';
import { askEngine, type Engine } from './engine.ts';
import { atOnce } from './left-containers.ts';
import { limitsInForce } from './limits-in-force.ts';
import { lostOutput } from './lost-output.ts';
import { placesOfMounts } from './mounts.ts';
import { proxyPortOf } from './outward-sockets.ts';
import { notStarted } from './not-started.ts';
import { openPassage, type Passage } from './passage.ts';
import { boundPlaces, isCovered, type Place } from './places.ts';
import { placeOfProgram, programOfThisMachine } from './program-places.ts';
import { proxyEnvironment } from './proxy-environment.ts';
import { givenLimits, isOfEngine, limitArguments, type EngineLimit } from './resource-limits.ts';
import { SYSTEM_FOLDERS } from './system-view.ts';

/**
 * One container for each start of a program, made by podman or docker. The container has no rights of root and no
 * network, its image cannot be written, and it is removed when the program has ended. All have the same image, even if
 * its name gets another one.
 */
export function containerSandbox(settings: SandboxSettings, place: SandboxPlace): Sandbox {
  const mounts = placesOfMounts(settings, place);
  const { network = 'provider' } = settings;
  let chosen: ChosenImage | undefined;
  let held: readonly EngineLimit[] | undefined;
  return {
    level: 'container',
    async enter(asked, room) {
      const found = chosen ?? (await chosenImage(settings, place));
      if ('why' in found) throw notStarted(found.why);
      chosen ??= found;
      const { engine } = chosen;
      const name = `assay-${OWN_TOKEN}-${randomBytes(4).toString('hex')}`;
      const folder = await temporaryFolder('c');
      let passage: Passage | undefined;
      const leave = async (): Promise<void> => {
        const left = await leftBy(engine, name);
        await passage?.close('ended');
        await removeTree(folder).catch(() => {});
        if (left !== undefined) throw left;
      };
      try {
        const places = allowedPlaces(network, asked, room);
        const env = places === undefined ? asked.env : proxyEnvironment(asked.env, proxyPortOf(places));
        const start = { ...asked, env };
        held = await limitsInForce(found, settings);
        const outputLog = join(folder, 'output');
        await make(found, { name, settings, start, room, mounts, held, outputLog });
        const forwarders = containerForwarders(engine, name);
        passage = await openPassage(folder, { network, start: asked, room, forwarders });
        const memoryMb = held.includes('memoryMb') ? settings.memoryMb : undefined;
        return enteredOf({ engine, name, leave, memoryMb, outputLog }, start);
      } catch (error) {
        await leave().catch(() => {});
        throw error;
      }
    },
    unenforced: () =>
      givenLimits(settings).filter((limit) => !isOfEngine(limit) || held?.includes(limit) === false),
  };
}

interface Making {
  readonly name: string;
  readonly settings: SandboxSettings;
  readonly start: ProgramStart;
  readonly room: Room;
  readonly mounts: readonly Place[];
  /** The limits that the engine enforces. */
  readonly held: readonly EngineLimit[];
  readonly outputLog: string;
}

async function make(
  { engine, id: image, path: imagePath }: ChosenImage,
  { name, settings, start, room, mounts, held, outputLog }: Making,
): Promise<void> {
  const { network, mountAgent: mountsAgent = false } = settings;
  const own = [...placesOf(room), ...mounts];
  const brought = mountsAgent
    ? await programOfThisMachine(
        start,
        own.map(({ at }) => at),
      )
    : { command: start.command, places: [] };
  const { args, env } = createArguments(engine, {
    name,
    image,
    imagePath,
    start: { ...start, command: brought.command },
    bound: boundPlaces([...own, ...brought.places]),
    network: network === 'host' ? 'host' : 'none',
    mountsAgent,
    limits: limitArguments(settings, held),
    diskMb: settings.diskMb,
    outputLog,
  });
  const made = await askEngine(engine, args, { env });
  if (!made.isDone) throw notStarted(made.problem);
}

function placesOf({ writable, readable = [], programs = [] }: Room): readonly Place[] {
  return [
    ...writable.map((path) => ({ from: path, at: path, canWrite: true })),
    ...readable.map((path) => ({ from: path, at: path, canWrite: false })),
    ...programs
      .map(placeOfProgram)
      .filter(({ at }) => at === process.execPath || !isCovered(at, SYSTEM_FOLDERS)),
  ];
}

interface Made {
  readonly engine: Engine;
  readonly name: string;
  readonly leave: () => Promise<void>;
  /** Absent: not limited. */
  readonly memoryMb: number | undefined;
  readonly outputLog: string;
}

function enteredOf({ leave, ...made }: Made, { cwd }: ProgramStart): Entered {
  const { engine, name } = made;
  return {
    start: {
      command: [...engine.command, 'start', '--attach', '--interactive', ...withoutSignals(engine), name],
      cwd,
      env: engine.env,
    },
    failureOf: (end) => failureOf(end, made),
    [Symbol.asyncDispose]: leave,
  };
}

/** docker has no such flag for `start`. The container is removed afterwards in both cases. */
function withoutSignals({ kind }: Engine): readonly string[] {
  return kind === 'podman' ? ['--sig-proxy=false'] : [];
}

/** Removes a container, which ends every process in it. Gives an error if it is still there. */
async function leftBy(engine: Engine, name: string): Promise<MeasurementError | undefined> {
  const args = ['rm', '--force', '--volumes', ...atOnce(engine), name];
  const { isDone, problem } = await askEngine(engine, args);
  if (isDone || /no such container|no container with/i.test(problem)) return undefined;
  return new MeasurementError(`the container of the program could not be removed: ${problem}`, {
    stage: 'target',
    kind: 'sandbox',
    hint: `its program may still be at work: ${engine.kind} rm --force ${name}`,
  });
}

async function failureOf(
  { exitCode, read }: ProgramEnd,
  { engine, name, memoryMb, outputLog }: Omit<Made, 'leave'>,
): Promise<MeasurementError | undefined> {
  if (exitCode === null) return undefined;
  const lost = await lostOutput(outputLog, read);
  if (lost !== undefined || exitCode === 0) return lost;
  const { isDone, said, problem } = await askEngine(engine, ['inspect', '--format', STATE, name]);
  if (!isDone) return notStarted(problem);
  const [startedAt = '', isOutOfMemory, ...error] = said.split('\n');
  if (!startedAt.startsWith('0001-')) {
    const isKilled = isOutOfMemory === 'true' || exitCode === KILLED;
    return isKilled && memoryMb !== undefined ? outOfMemory(exitCode, memoryMb) : undefined;
  }
  return notStarted(error.join(' ').trim() || `${engine.kind} ended with exit code ${exitCode}`);
}

const STATE = '{{.State.StartedAt}}\n{{.State.OOMKilled}}\n{{.State.Error}}';

/** podman does not always see why the kernel killed a program. */
const KILLED = 137;

function outOfMemory(exitCode: number, memoryMb: number): MeasurementError {
  return new MeasurementError(
    `the program ended with exit code ${exitCode}, probably because it needed more memory than \`memoryMb: ${memoryMb}\` allows`,
    {
      stage: 'target',
      kind: 'sandbox',
      detail: 'memory-limit',
      hint: 'raise `sandbox.memoryMb`, or find out why the program needs so much memory',
    },
  );
}
