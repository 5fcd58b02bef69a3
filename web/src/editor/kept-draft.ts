import { forgetInTab, keepInTab, keptInTab } from '../form/tab-storage.ts';
import { FIELDS, type Draft } from './draft.ts';

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
  return keptInTab(keyOf(place)) as KeptDraft | undefined;
}

/** Keeps what differs from its base. */
export function keepDraft(place: DraftPlace, kept: KeptDraft): void {
  if (isSameDraft(kept.draft, kept.base)) forgetDraft(place);
  else keepInTab(keyOf(place), kept);
}

export function forgetDraft(place: DraftPlace): void {
  forgetInTab(keyOf(place));
}

export function isSameDraft(one: Draft, other: Draft): boolean {
  return FIELDS.every(({ name }) => one[name] === other[name]);
}
