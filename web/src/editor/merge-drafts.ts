import { FIELDS, type Draft, type FieldName } from './draft.ts';

/** A draft on top of what somebody else saved meanwhile. */
export interface Merged {
  readonly draft: Draft;
  /** Fields that both changed, each to another text: they hold the own one. */
  readonly conflicts: readonly FieldName[];
}

/** Takes what only the other one changed, and keeps what was changed here. `base`: what both began with. */
export function mergeDrafts(own: Draft, base: Draft, theirs: Draft): Merged {
  const conflicts: FieldName[] = [];
  const draft = { ...own };
  for (const { name } of FIELDS) {
    if (own[name] === base[name]) draft[name] = theirs[name];
    else if (theirs[name] !== base[name] && theirs[name] !== own[name]) conflicts.push(name);
  }
  return { draft, conflicts };
}
