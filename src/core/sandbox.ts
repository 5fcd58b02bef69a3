import type { MeasurementError } from './errors.ts';

/** How strongly the programs of a target are kept apart from this machine, the weakest first. */
export const ISOLATION_LEVELS = ['process', 'namespace'] as const;

export type IsolationLevel = (typeof ISOLATION_LEVELS)[number];

/** `sandbox` of a target or of `run`, as checked. */
export interface SandboxSettings {
  readonly level?: IsolationLevel | undefined;
  readonly network?: 'none' | 'host' | undefined;
  readonly mount?: readonly Mount[] | undefined;
}

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
export interface Room {
  /** Folders that it may change. */
  readonly writable: readonly string[];
  /** Files and folders that it may read. */
  readonly readable?: readonly string[] | undefined;
  /** Files that it runs: they are mounted with their packages. */
  readonly programs?: readonly string[] | undefined;
}

/** How a started program ended. */
export interface ProgramEnd {
  readonly exitCode: number | null;
  readonly stderr: Uint8Array;
}

/** Where a sandbox is opened. */
export interface SandboxPlace {
  /** Absolute folder of the config; mounts are relative to it. */
  readonly directory: string;
  /** The environment of the operator, with the PATH to the programs of sandboxes. */
  readonly operatorEnvironment: Readonly<Record<string, string>>;
}

/** Starts the programs of a target in a sandbox. */
export interface Sandbox {
  readonly level: IsolationLevel;
  /** How to start a program so that it sees only its room. Rejects if its program is missing. */
  enter(start: ProgramStart, room: Room): Promise<ProgramStart>;
  /** Why the sandbox itself could not be started; undefined when the program was started. */
  failureOf(result: ProgramEnd): MeasurementError | undefined;
}

/** Whether a level is weaker than another one. */
export function isWeaker(level: IsolationLevel, than: IsolationLevel): boolean {
  return ISOLATION_LEVELS.indexOf(level) < ISOLATION_LEVELS.indexOf(than);
}

/** The weakest of the levels; `process` for an empty list. */
export function weakestOf(levels: readonly IsolationLevel[]): IsolationLevel {
  return ISOLATION_LEVELS.find((level) => levels.includes(level)) ?? 'process';
}
