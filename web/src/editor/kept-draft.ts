import type { Draft } from './draft.ts';

/** An edit that is not saved, as the tab keeps it over a reload. */
export interface KeptDraft {
  readonly draft: Draft;
  /** What the edit began with. */
  readonly base: Draft;
  /** Of the case it began with; empty: a new case. */
  readonly version: string;
}

const keyOf = (id: string) => `assay case ${id}`;

/** Undefined: there is none. */
export function keptDraft(id: string): KeptDraft | undefined {
  const text = sessionStorage.getItem(keyOf(id));
  return text === null ? undefined : (JSON.parse(text) as KeptDraft);
}

/** A full or refused storage loses nothing but the copy. */
export function keepDraft(id: string, kept: KeptDraft | undefined): void {
  try {
    if (kept === undefined) sessionStorage.removeItem(keyOf(id));
    else sessionStorage.setItem(keyOf(id), JSON.stringify(kept));
  } catch {
    // The form still has it.
  }
}
