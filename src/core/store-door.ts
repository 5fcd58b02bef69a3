import type { RunStore } from './run-store.ts';
import type { Store } from './store.ts';

/** The way of a command to the store of its project. The store is opened once, when it is first needed. */
export interface StoreDoor {
  /** The store, if the project has one. Makes none. Throws if it cannot be opened. */
  find(): Promise<Store | undefined>;
  /** The same. Makes an embedded one where the project has none. */
  open(): Promise<Store>;
  /** The runs of the store, also where a running server owns it: then only to be read. Absent: those of `find`. */
  findRuns?(): Promise<RunStore | undefined>;
}
