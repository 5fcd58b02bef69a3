import type { ProgramStart } from '../core/sandbox.ts';
import { openFilesLimit, processesLimit } from '../lib/process/open-files-limit.ts';
import { OWN_TOKEN } from '../lib/process/own-token.ts';
import type { Engine } from './engine.ts';
import { underShell } from './first-process.ts';
import { processLabel } from './left-containers.ts';
import { isCovered, type Place } from './places.ts';

/** The label with the token of the process that made a container. */
const OWNER_LABEL = 'assay.owner';

export interface Container {
  /** `run`: its program is started too. */
  readonly verb: 'create' | 'run';
  readonly name: string;
  /** Begins the message that it could start no second process. Its program must not be able to guess it. */
  readonly forkSign: string;
  readonly image: string;
  readonly imagePath: string;
  readonly start: ProgramStart;
  readonly bound: readonly Place[];
  /** `ns:PATH`: the network behind that path. */
  readonly network: 'none' | 'host' | `ns:${string}`;
  /** Whether it gets programs of this machine. */
  readonly mountsAgent: boolean;
  readonly limits: readonly string[];
  /** The size of each folder for temporary files in MB; absent: half of the memory of this machine. */
  readonly diskMb: number | undefined;
  /** The file for all output of its program, which only podman writes; absent: none. */
  readonly outputLog?: string;
}

/** The arguments that make a container, and the whole environment of the engine, which passes variables on to it. */
export function createArguments(
  engine: Engine,
  container: Container,
): { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  const { verb, name, image, imagePath, start, bound, network, mountsAgent, limits, diskMb, outputLog } =
    container;
  const paths = bound.map(({ at }) => at);
  const asked = 'shell' in start.command ? ['/bin/sh', '-c', start.command.shell] : start.command;
  const { command, env: variables } = underShell(
    { container: name, forkSign: container.forkSign },
    { command: asked, env: start.env },
  );
  const { PATH, HOME, TMPDIR, ...others } = variables;
  const own = {
    ...(mountsAgent && PATH !== undefined ? { PATH: `${PATH}:${imagePath}` } : {}),
    // The image has a home of its own.
    ...(HOME !== undefined && isCovered(HOME, paths) ? { HOME } : {}),
    ...(TMPDIR === undefined ? {} : { TMPDIR: isCovered(TMPDIR, paths) ? TMPDIR : '/tmp' }),
  };
  const passed = Object.entries(others).filter(([key]) => mayPass(key));
  const written = [...Object.entries(others).filter(([key]) => !mayPass(key)), ...Object.entries(own)];
  const hidden = engine.kind === 'docker' ? PROXIES.filter((key) => start.env[key] === undefined) : [];
  return {
    env: {
      ...Object.fromEntries(Object.entries(engine.env).filter(([key]) => !hidden.includes(key))),
      ...Object.fromEntries(passed),
    },
    args: [
      verb,
      '--interactive',
      ...(verb === 'run' ? withoutSignals(engine) : []),
      ...words(`--pull never --name ${name} --label ${OWNER_LABEL}=${OWN_TOKEN} --network ${network}`),
      '--label',
      processLabel(),
      ...words('--cap-drop ALL --security-opt no-new-privileges --read-only'),
      ...(engine.kind === 'podman' && outputLog !== undefined
        ? ['--log-driver', 'k8s-file', '--log-opt', `path=${outputLog}`]
        : ['--log-driver', 'none']),
      ...EMPTY_FOLDERS.filter((path) => !paths.includes(path)).flatMap((path) => [
        '--tmpfs',
        `${path}:rw,exec,mode=1777${diskMb === undefined ? '' : `,size=${diskMb}m`}`,
      ]),
      ...userArguments(engine),
      ...(engine.kind === 'podman' ? [...words(ONLY_PODMAN), ...possibleLimits()] : []),
      ...limits,
      ...bound.flatMap(mountArgument),
      // Values of variables are not seen in the list of processes.
      ...passed.flatMap(([key]) => ['--env', key]),
      // docker would take them from the config of its user. Without a value here and outside, they are not set.
      ...hidden.flatMap((key) => ['--env', key]),
      ...written.flatMap(([key, value]) => ['--env', `${key}=${value}`]),
      '--workdir',
      start.cwd,
      '--entrypoint',
      '',
      image,
      ...command,
    ],
  };
}

const EMPTY_FOLDERS = ['/tmp', '/var/tmp', '/run'];

const ONLY_PODMAN = '--http-proxy=false --read-only-tmpfs=false --image-volume ignore';

/** The user outside and inside is the same. */
function userArguments({ kind }: Engine): readonly string[] {
  const uid = process.getuid?.() ?? 0;
  const gid = process.getgid?.() ?? 0;
  return ['--user', `${uid}:${gid}`, ...(kind === 'podman' && uid !== 0 ? ['--userns', 'keep-id'] : [])];
}

/** podman as root would ask for higher limits than this process may set. */
export function possibleLimits(): readonly string[] {
  if (process.getuid?.() !== 0) return [];
  const limits = { nofile: Math.min(openFilesLimit(), 1_048_576), nproc: Math.min(processesLimit(), 32_768) };
  return Object.entries(limits).flatMap(([name, limit]) => ['--ulimit', `${name}=${limit}:${limit}`]);
}

/** The fields are separated by commas, as in a CSV file. */
function mountArgument({ from, at, canWrite }: Place): readonly string[] {
  const fields = ['type=bind', `source=${from}`, `destination=${at}`, ...(canWrite ? [] : ['readonly=true'])];
  return ['--mount', fields.map(quoted).join(',')];
}

function quoted(field: string): string {
  return /[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

/** The engine would send signals on to the program. `docker start` has no such flag, and `docker run` needs none. */
export function withoutSignals({ kind }: Engine): readonly string[] {
  return kind === 'podman' ? ['--sig-proxy=false'] : [];
}

/**
 * Whether a variable can be in the environment of the engine, which then takes its value from there. Some would change
 * the engine itself.
 */
function mayPass(name: string): boolean {
  return !OF_ENGINE.test(name);
}

const OF_ENGINE =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TERM|TMPDIR|TZ|LANG|LANGUAGE|LC_.*|XDG_.*|DOCKER_.*|COMPOSE_.*|MOBY_.*|BUILDKIT_.*|BUILDAH_.*|_?CONTAINERS?_.*|_?PODMAN_.*|STORAGE_.*|_?REGISTR(?:Y|IES)_.*|CNI_.*|NETAVARK_.*|OCI_.*|CONMON_.*|CRIU_.*|DBUS_.*|NOTIFY_SOCKET|LISTEN_.*|INVOCATION_ID|GNUPGHOME|SSH_.*|GO[A-Z]*|SSL_CERT_.*|LD_.*|GCONV_PATH|(?:https?|ftp|all|no)_proxy)$/i;

/** What docker sets from `proxies` in its config. */
const PROXIES = ['HTTP', 'HTTPS', 'FTP', 'NO', 'ALL'].flatMap((kind) => [
  `${kind}_PROXY`,
  `${kind.toLowerCase()}_proxy`,
]);

function words(text: string): readonly string[] {
  return text.split(' ');
}
