import type { LoadedConfig } from '../authoring/config/load-config.ts';
import type { RunStore } from '../core/run-store.ts';
import type { StoreDoor } from '../core/store-door.ts';

/** The environment of a command. Functions get it as a parameter instead of reading the process. */
export interface Surroundings {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly now: () => number;
  /** Arguments after the program name. */
  readonly commandLine: readonly string[];
  /** A store that replaces run directories. */
  readonly runs?: RunStore;
  /** The store of the project. Absent: only files are read and written. */
  readonly store?: StoreDoor;
  /** The config that a server has read at its start, for the folder in which it was started. */
  readonly served?: { readonly cwd: string; readonly loaded: LoadedConfig };
  /** Which runs `latest` and lists mean; default: run directories. */
  readonly prefers?: 'store';
  /** Who runs the trials of stored runs; default: this process. */
  readonly hands?: 'workers' | undefined;
  /** Of a server. token: everybody signs in, and agents of the store reach only what is listed. Default: none. */
  readonly auth?: 'none' | 'token';
}
