import { forgetInTab, keepInTab, keptInTab } from './tab-storage.ts';

/** A change that is not saved yet. */
export interface KeptEdit<Value> {
  readonly now: Value;
  /** The value that the change began with. */
  readonly base: Value;
  /** Its version, for `If-Match`. Empty: it is new. */
  readonly version: string;
}

const keyOf = (key: string) => `assay edit ${key}`;

/** The change that this tab kept, or undefined. */
export function keptEdit<Value>(key: string): KeptEdit<Value> | undefined {
  return keptInTab(keyOf(key)) as KeptEdit<Value> | undefined;
}

/** Keeps a change over a reload. */
export function keepEdit<Value>(key: string, edit: KeptEdit<Value> | undefined): void {
  if (edit === undefined) forgetInTab(keyOf(key));
  else keepInTab(keyOf(key), edit);
}
