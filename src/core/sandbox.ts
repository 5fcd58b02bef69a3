import type { MeasurementError } from './errors.ts';
import type { IsolationLevel } from './isolation-level.ts';
import type { MissedConnection } from './missed-connections.ts';

/** The most that the programs of an attempt may use; absent: what this machine has. */
export interface ResourceLimits {
  readonly memoryMb?: number | undefined;
  /** Processors, such as 1.5. */
  readonly cpus?: number | undefined;
  readonly processes?: number | undefined;
  /** Of the workspace, when the agent has ended, and of each folder for temporary files. */
  readonly diskMb?: number | undefined;
}

export const RESOURCE_LIMITS = ['memoryMb', 'cpus', 'processes', 'diskMb'] as const;

export type ResourceLimit = (typeof RESOURCE_LIMITS)[number];

/** `sandbox` of a target or of `run`, as checked. */
export interface SandboxSettings extends ResourceLimits {
  readonly level?: IsolationLevel | undefined;
  readonly network?: NetworkAccess | undefined;
  readonly mount?: readonly Mount[] | undefined;
  /** Of a container: the name of its image. */
  readonly image?: string | undefined;
  /** Whether its engine fetches the image if this machine does not have it. */
  readonly pull?: boolean | undefined;
  /** Instead of an image: the Dockerfile of one, relative to the folder of the config. */
  readonly build?: string | undefined;
  /** The program that makes containers; default: the first that works. */
  readonly engine?: ContainerEngine | undefined;
  /** Its first arguments. */
  readonly engineArgs?: readonly string[] | undefined;
  /** Whether a container gets the program of the target, and Node, from this machine. */
  readonly mountAgent?: boolean | undefined;
}

/** The programs that make containers, in the order in which they are tried. */
export const CONTAINER_ENGINES = ['podman', 'docker'] as const;

export type ContainerEngine = (typeof CONTAINER_ENGINES)[number];

/**
 * What programs in a sandbox may connect to: nothing, what the target needs (its provider and every `*_BASE_URL` of its
 * environment), what this machine can reach, or a list of `host:port`.
 */
export type NetworkAccess = 'none' | 'provider' | 'host' | readonly string[];

/** A file or folder of this machine that programs in a sandbox see. */
export interface Mount {
  /** As written: relative to the folder of the config. */
  readonly from: string;
  /** Absolute path inside; default: the path of `from`. */
  readonly at?: string | undefined;
  /** Whether programs can change it; default: no. */
  readonly write?: boolean | undefined;
}

/** How a program is started. */
export interface ProgramStart {
  readonly command: readonly string[] | { readonly shell: string };
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** What a program needs of this machine besides the system; absolute paths, seen at the same paths inside. */
export interface ProgramNeeds {
  /** Folders that it may change. */
  readonly writable: readonly string[];
  /** Files and folders that it may read. */
  readonly readable?: readonly string[] | undefined;
  /** Files that it runs: they are mounted with their packages. */
  readonly programs?: readonly string[] | undefined;
  /** The `host:port` of its provider, for `network: provider`. */
  readonly hosts?: readonly string[] | undefined;
  /** A port of its loopback address that this machine must reach under the same number. */
  readonly serves?: ServedPort | undefined;
  /** Called for each connection that it did not get. */
  readonly missed?: ((connection: MissedConnection) => void) | undefined;
}

/** A port on which a program answers this machine. */
export interface ServedPort {
  readonly port: number;
  /** Called when the program listens, but another program of this machine has the port. */
  readonly taken: () => void;
}

/** How a started program ended. */
export interface ProgramEnd {
  readonly exitCode: number | null;
  readonly stderr: Uint8Array;
  /** How many bytes of each stream were read. */
  readonly read: { readonly stdout: number; readonly stderr: number };
}

/** What a program printed. */
export interface ProgramOutput {
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

/** Where a sandbox is opened. */
export interface SandboxPlace {
  /** Absolute folder of the config; mounts are relative to it. */
  readonly directory: string;
  /** The environment of the operator, with the PATH to the programs of sandboxes. */
  readonly operatorEnvironment: Readonly<Record<string, string>>;
}

/** One start of a program in a sandbox. Disposing it closes what was opened for this start. */
export interface Entered extends AsyncDisposable {
  /** How to start the program so that it sees only what it needs. */
  readonly start: ProgramStart;
  /** Why the sandbox itself failed: the program was not started, or it needed too much memory. */
  failureOf(end: ProgramEnd): Promise<MeasurementError | undefined>;
  /** The end of its output that the sandbox did not pass on. Absent: it passes on everything. */
  unread?(read: ProgramEnd['read']): Promise<ProgramOutput>;
}

/** Starts the programs of a target in a sandbox. Disposing it ends what is kept for later starts. */
export interface Sandbox extends Partial<AsyncDisposable> {
  readonly level: IsolationLevel;
  enter(start: ProgramStart, needs: ProgramNeeds): Promise<Entered>;
  /** The limits of its settings that it does not enforce, as far as it knows: a container knows it after a start. */
  unenforced(): readonly ResourceLimit[];
}
