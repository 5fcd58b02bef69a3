import type { Texts } from './form-field.ts';

/** Own texts on top of what somebody else saved meanwhile. */
export interface Merged {
  readonly texts: Texts;
  /** Names of fields that both changed, each to another text. They hold the own text. */
  readonly conflicts: readonly string[];
}

/** Takes what only the other one changed, and keeps what was changed here. `base`: what both began with. */
export function mergeTexts(own: Texts, base: Texts, theirs: Texts): Merged {
  const isConflict = (name: string) =>
    own[name] !== base[name] && theirs[name] !== base[name] && theirs[name] !== own[name];
  const texts = Object.entries(own).map(([name, text]) => [
    name,
    text === base[name] ? (theirs[name] ?? '') : text,
  ]);
  return {
    texts: Object.fromEntries(texts) as Texts,
    conflicts: Object.keys(own).filter(isConflict),
  };
}
