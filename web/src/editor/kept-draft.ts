import type { Draft } from './draft.ts';

/** An edit that is not saved, as the tab keeps it over a reload. */
export interface KeptDraft {
  readonly draft: Draft;
  /** What the edit began with. */
  readonly base: Draft;
  /** Of the case it began with; empty: a new case. */
  readonly version: string;
  /** Of a new case: the id that it gets. */
  readonly newId?: string;
}

/** Whose edit it is, and of which case. */
export interface DraftPlace {
  /** Id of the account: another one who uses the tab does not get it. */
  readonly account: string;
  /** Of the case, or `new`. */
  readonly id: string;
}

const keyOf = ({ account, id }: DraftPlace) => `assay case ${account} ${id}`;

/** The edit that this tab kept, or undefined. */
export function keptDraft(place: DraftPlace): KeptDraft | undefined {
  const text = sessionStorage.getItem(keyOf(place));
  return text === null ? undefined : (JSON.parse(text) as KeptDraft);
}

/** Keeps what differs from its base. A full or refused storage loses nothing but the copy. */
export function keepDraft(place: DraftPlace, kept: KeptDraft): void {
  try {
    if (isSameDraft(kept.draft, kept.base)) forgetDraft(place);
    else sessionStorage.setItem(keyOf(place), JSON.stringify(kept));
  } catch {
    // The form still has it.
  }
}

export function forgetDraft(place: DraftPlace): void {
  sessionStorage.removeItem(keyOf(place));
}

export function isSameDraft(one: Draft, other: Draft): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
