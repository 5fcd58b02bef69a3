import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { MeasurementError } from '../core/errors.ts';
import type {
  Entered,
  ProgramEnd,
  ProgramStart,
  ProgramNeeds,
  Sandbox,
  SandboxPlace,
  SandboxSettings,
} from '../core/sandbox.ts';
import { decodeUtf8 } from '../lib/process/decode-utf8.ts';
import { findProgram } from '../lib/process/find-program.ts';
import { removeTree } from '../lib/files/remove-tree.ts';
import { temporaryFolder } from '../lib/files/temporary-folder.ts';
import { OWN_TOKEN } from '../lib/process/own-token.ts';
import { allowedPlaces } from './allowed-places.ts';
import { BUBBLEWRAP } from './bubblewrap.ts';
import { chosenImage, type ChosenImage } from './choose-engine.ts';
import { createArguments, withoutSignals } from './container-arguments.ts';
import { containerForwarders } from './container-forwarders.ts';
import { askEngine, type Engine } from './engine.ts';
import { couldNotFork, unstartedReason } from './first-process.ts';
import { keepForwarders } from './forwarders.ts';
import { atOnce } from './left-containers.ts';
import { limitsInForce } from './limits-in-force.ts';
import { trackContainer } from './live-containers.ts';
import { placesOfMounts } from './mounts.ts';
import { proxyPortOf } from './outward-sockets.ts';
import { notStarted } from './not-started.ts';
import { needsPassage, openPassage, type Passage, type Passing } from './passage.ts';
import { boundPlaces, isCovered, placesOfFiles, type Place } from './places.ts';
import { placeOfProgram, programOfThisMachine } from './program-places.ts';
import { proxyEnvironment } from './proxy-environment.ts';
import { givenLimits, isOfEngine, limitArguments, type EngineLimit } from './resource-limits.ts';
import { SYSTEM_FOLDERS } from './system-view.ts';
import { unreadOutput } from './unread-output.ts';

/**
 * One container for each start of a program, made by podman or docker. The container has no rights of root and no
 * network, its image cannot be written, and it is removed when the program has ended. All have the same image, even if
 * its name gets another one.
 */
export function containerSandbox(settings: SandboxSettings, place: SandboxPlace): Sandbox & AsyncDisposable {
  const mounts = placesOfMounts(settings, place);
  const { network = 'provider' } = settings;
  const networks = keepForwarders(place.operatorEnvironment, 'of root');
  let chosen: ChosenImage | undefined;
  let held: readonly EngineLimit[] | undefined;
  let joins: Promise<boolean> | undefined;
  return {
    level: 'container',
    async enter(asked, needs) {
      const found = chosen ?? (await chosenImage(settings, place));
      if ('why' in found) throw notStarted(found.why);
      chosen ??= found;
      const { engine } = chosen;
      const isJoining = await (joins ??= canJoin(engine, place));
      const name = `assay-${OWN_TOKEN}-${randomBytes(4).toString('hex')}`;
      const forkSign = randomBytes(16).toString('hex');
      const folder = await temporaryFolder('c');
      let passage: Passage | undefined;
      const forget = trackContainer(name, engine);
      const leave = async (): Promise<void> => {
        const left = await leftBy(engine, name);
        if (left === undefined) forget();
        await passage?.close(left === undefined ? 'ended' : 'unknown');
        await removeTree(folder).catch(() => {});
        if (left !== undefined) throw left;
      };
      try {
        const asking = { network, start: asked, needs };
        held = await limitsInForce(found, settings);
        const outputLog = join(folder, 'output');
        const memoryMb = held.includes('memoryMb') ? settings.memoryMb : undefined;
        const processes = held.includes('processes') ? settings.processes : undefined;
        const made = { engine, name, forkSign, leave, memoryMb, processes, outputLog };
        const making = { name, forkSign, settings, start: inside(asking), needs, mounts, held, outputLog };
        if (isJoining || !needsPassage(asking)) {
          passage = await openPassage(folder, { ...asking, forwarders: networks });
          return enteredOf(made, await creating(found, { ...making, verb: 'run', joins: passage?.pid }));
        }
        const { command, cwd, env } = await creating(found, { ...making, verb: 'create' });
        const { isDone, problem } = await askEngine({ ...engine, command, env }, []);
        if (!isDone) throw notStarted(problem);
        const forwarders = containerForwarders(engine, name);
        passage = await openPassage(folder, { ...asking, forwarders });
        return enteredOf(made, { command: attaching(engine, name), cwd, env: engine.env });
      } catch (error) {
        await leave().catch(() => {});
        throw error;
      }
    },
    unenforced: () =>
      givenLimits(settings).filter((limit) => !isOfEngine(limit) || held?.includes(limit) === false),
    [Symbol.asyncDispose]: () => networks[Symbol.asyncDispose](),
  };
}

/** Whether containers of an engine can join a network that this process has made: that saves three calls of the engine. */
async function canJoin({ kind }: Engine, { directory, operatorEnvironment: env }: SandboxPlace) {
  if (kind !== 'podman' || process.getuid?.() !== 0) return false;
  return (await findProgram(BUBBLEWRAP, { cwd: directory, env })) !== undefined;
}

/** The start of a program as it is inside: it finds the other hosts through a proxy. */
function inside({ network, start, needs }: Omit<Passing, 'forwarders'>): ProgramStart {
  const places = allowedPlaces(network, start, needs);
  return places === undefined ? start : { ...start, env: proxyEnvironment(start.env, proxyPortOf(places)) };
}

interface Making {
  readonly verb: 'create' | 'run';
  readonly name: string;
  readonly forkSign: string;
  /** The process whose network the container joins; absent: it gets its own, or that of this machine. */
  readonly joins?: number | undefined;
  readonly settings: SandboxSettings;
  readonly start: ProgramStart;
  readonly needs: ProgramNeeds;
  readonly mounts: readonly Place[];
  /** The limits that the engine enforces. */
  readonly held: readonly EngineLimit[];
  readonly outputLog: string;
}

/** The call of the engine that creates a container, or also starts its program. */
async function creating(
  { engine, id: image, path: imagePath }: ChosenImage,
  { verb, name, forkSign, joins, settings, start, needs, mounts, held, outputLog }: Making,
): Promise<ProgramStart & Pick<Engine, 'command'>> {
  const { network, mountAgent: mountsAgent = false } = settings;
  const programs = (needs.programs ?? []).map(placeOfProgram);
  const own = [
    ...placesOfFiles(needs),
    ...programs.filter(({ at }) => at === process.execPath || !isCovered(at, SYSTEM_FOLDERS)),
    ...mounts,
  ];
  const brought = mountsAgent
    ? await programOfThisMachine(
        start,
        own.map(({ at }) => at),
      )
    : { command: start.command, places: [] };
  const { args, env } = createArguments(engine, {
    verb,
    name,
    forkSign,
    image,
    imagePath,
    start: { ...start, command: brought.command },
    bound: boundPlaces([...own, ...brought.places]),
    network: joins !== undefined ? `ns:/proc/${joins}/ns/net` : network === 'host' ? 'host' : 'none',
    mountsAgent,
    limits: limitArguments(settings, held),
    diskMb: settings.diskMb,
    outputLog,
  });
  return { command: [...engine.command, ...args], cwd: start.cwd, env };
}

interface Made {
  readonly engine: Engine;
  readonly name: string;
  /** What its first message begins with if it could start no process. */
  readonly forkSign: string;
  readonly leave: () => Promise<void>;
  /** Absent: not limited. */
  readonly memoryMb: number | undefined;
  /** Absent: not limited. */
  readonly processes: number | undefined;
  readonly outputLog: string;
}

function enteredOf({ leave, ...made }: Made, start: ProgramStart): Entered {
  return {
    start,
    failureOf: (end) => failureOf(end, made),
    unread: (read) => unreadOutput(made.outputLog, read),
    [Symbol.asyncDispose]: leave,
  };
}

/** The call that starts the program of a container. */
function attaching(engine: Engine, name: string): readonly string[] {
  return [...engine.command, 'start', '--attach', '--interactive', ...withoutSignals(engine), name];
}

/** Removes a container, which ends every process in it. Gives an error if it is still there. */
async function leftBy(engine: Engine, name: string): Promise<MeasurementError | undefined> {
  const args = ['rm', '--force', '--volumes', ...atOnce(engine), name];
  const removed = async () => {
    const { isDone, problem } = await askEngine(engine, args);
    return isDone || /no such container|no container with/i.test(problem) ? undefined : problem;
  };
  // The first call fails if the container ends while podman stops it.
  const problem = (await removed()) && (await removed());
  if (problem === undefined) return undefined;
  return new MeasurementError(`the container of the program could not be removed: ${problem}`, {
    stage: 'target',
    kind: 'sandbox',
    hint: `its program may still be at work: ${engine.kind} rm --force ${name}`,
  });
}

async function failureOf(
  end: ProgramEnd,
  { engine, name, forkSign, memoryMb, processes }: Omit<Made, 'leave'>,
): Promise<MeasurementError | undefined> {
  const { exitCode, stderr } = end;
  if (exitCode === null || exitCode === 0) return undefined;
  if (couldNotFork(forkSign, end)) return tooManyProcesses(processes);
  const unstarted = unstartedReason(name, end);
  if (unstarted !== undefined) return notStarted(unstarted);
  const { isDone, said: state, problem } = await askEngine(engine, ['inspect', '--format', STATE, name]);
  const said = decodeUtf8(stderr)
    .trim()
    .split('\n')
    .at(-1)
    ?.replace(/^Error: /, '');
  // If the engine made no container, its own output is the reason.
  if (!isDone) return notStarted(said || problem);
  const [startedAt = '', isOutOfMemory, ...error] = state.split('\n');
  if (!startedAt.startsWith('0001-')) {
    const isKilled = isOutOfMemory === 'true' || exitCode === KILLED;
    return isKilled && memoryMb !== undefined ? outOfMemory(exitCode, memoryMb) : undefined;
  }
  return notStarted(error.join(' ').trim() || said || `${engine.kind} ended with exit code ${exitCode}`);
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

function tooManyProcesses(limit: number | undefined): MeasurementError {
  const reached =
    limit === undefined
      ? 'a limit of this machine for processes is reached'
      : `the limit \`processes: ${limit}\` is reached`;
  return new MeasurementError(`the sandbox could not be started: ${reached}`, {
    stage: 'target',
    kind: 'sandbox',
    detail: 'process-limit',
    hint:
      limit === undefined
        ? 'run fewer trials at once, or raise the limit of the account (`ulimit -u`)'
        : 'raise `sandbox.processes`',
  });
}
