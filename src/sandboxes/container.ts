import { randomBytes } from 'node:crypto';

import { MeasurementError } from '../core/errors.ts';
import type { Entered, ProgramEnd, ProgramStart, Room } from '../core/sandbox.ts';
import type { Sandbox, SandboxPlace, SandboxSettings } from '../core/sandbox.ts';
import { OWN_TOKEN } from '../lib/process/own-token.ts';
import { createArguments } from './container-arguments.ts';
import { chosenImage, type ChosenImage } from './choose-engine.ts';
import { askEngine, type Engine } from './engine.ts';
import { placesOfMounts } from './mounts.ts';
import { boundPlaces, isCovered, type Place } from './places.ts';
import { placeOfProgram, programOfThisMachine } from './program-places.ts';
import { SYSTEM_FOLDERS } from './system-view.ts';

/**
 * One container for each start of a program, made by podman or docker. The container has no rights of root and no
 * network, its image cannot be written, and it is removed when the program has ended.
 */
export function containerSandbox(settings: SandboxSettings, place: SandboxPlace): Sandbox {
  const mounts = placesOfMounts(settings, place);
  return {
    level: 'container',
    async enter(start, room) {
      const chosen = await chosenImage(settings, place);
      if ('why' in chosen) throw failed(chosen.why, chosen.hint);
      const { engine } = chosen;
      const name = `assay-${OWN_TOKEN}-${randomBytes(4).toString('hex')}`;
      try {
        await make(chosen, { name, settings, start, room, mounts });
        return enteredOf(engine, name, start);
      } catch (error) {
        await removed(engine, name);
        throw error;
      }
    },
  };
}

interface Making {
  readonly name: string;
  readonly settings: SandboxSettings;
  readonly start: ProgramStart;
  readonly room: Room;
  readonly mounts: readonly Place[];
}

async function make(
  { engine, image, path: imagePath }: ChosenImage,
  { name, settings, start, room, mounts }: Making,
): Promise<void> {
  const { network = 'provider', mountAgent: mountsAgent = false } = settings;
  const own = [...placesOf(room), ...mounts];
  const brought = mountsAgent
    ? await programOfThisMachine(start, own.map(({ at }) => at))
    : { command: start.command, places: [] };
  const { args, env } = createArguments(engine, {
    name,
    image,
    imagePath,
    start: { ...start, command: brought.command },
    bound: boundPlaces([...own, ...brought.places]),
    network: network === 'host' ? 'host' : 'none',
    mountsAgent,
  });
  const made = await askEngine(engine, args, { env });
  if (!made.isDone) throw failed(made.problem);
}

function placesOf({ writable, readable = [], programs = [] }: Room): readonly Place[] {
  return [
    ...writable.map((path) => ({ from: path, at: path, canWrite: true })),
    ...readable.map((path) => ({ from: path, at: path, canWrite: false })),
    ...programs.map(placeOfProgram).filter(({ at }) => !isCovered(at, SYSTEM_FOLDERS) || at === process.execPath),
  ];
}

function enteredOf(engine: Engine, name: string, { cwd }: ProgramStart): Entered {
  return {
    start: {
      command: [...engine.command, 'start', '--attach', '--interactive', '--sig-proxy=false', name],
      cwd,
      env: engine.env,
    },
    failureOf: (end) => failureOf(end, engine, name),
    [Symbol.asyncDispose]: () => removed(engine, name),
  };
}

/** Ends every process in the container too. */
async function removed(engine: Engine, name: string): Promise<void> {
  const atOnce = engine.kind === 'podman' ? ['--time', '0'] : [];
  await askEngine(engine, ['rm', '--force', '--volumes', ...atOnce, name]);
}

async function failureOf(
  { exitCode }: ProgramEnd,
  engine: Engine,
  name: string,
): Promise<MeasurementError | undefined> {
  if (exitCode === 0 || exitCode === null) return undefined;
  const { isDone, said, problem } = await askEngine(engine, ['inspect', '--format', STATE, name]);
  if (!isDone) return failed(problem);
  const [startedAt = '', ...error] = said.split('\n');
  return startedAt.startsWith('0001-') ? failed(error.join(' ')) : undefined;
}

const STATE = '{{.State.StartedAt}}\n{{.State.Error}}';

function failed(
  why: string,
  hint = 'run `assay doctor --sandbox` to see what this machine can do',
): MeasurementError {
  return new MeasurementError(`the sandbox could not be started: ${why}`, {
    stage: 'target',
    kind: 'sandbox',
    hint,
  });
}
