/** A text that is shown, and how much of it is not. */
export interface Cut {
  readonly shown: string;
  /** Characters that are left out. */
  readonly rest: number;
}

const MOST_LINES = 60;

/** The beginning of a long text: at most so many characters and 60 lines, never half a character. */
export function cutText(text: string, most: number): Cut {
  let end = Math.min(text.length, most);
  let at = -1;
  for (let lines = 0; lines < MOST_LINES; lines++) {
    at = text.indexOf('\n', at + 1);
    if (at === -1 || at >= end) break;
    if (lines === MOST_LINES - 1) end = at;
  }
  if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end--;
  return { shown: text.slice(0, end), rest: text.length - end };
}

/** One line of at most so many characters, for tables. */
export function lineText(text: string, most = 200): string {
  const { shown, rest } = cutText(text.slice(0, most * 2).replaceAll(/\s+/g, ' '), most);
  return rest > 0 || text.length > most * 2 ? `${shown}…` : shown;
}
