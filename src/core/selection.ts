/** Selects authored cases for a run. Filters of different kinds must all match; empty filters always match. */
export interface Selection {
  /** Names of targets; they replace every `execution.target`. */
  readonly targets: readonly string[];
  /** Ids or globs (`*`, `?`). */
  readonly cases: readonly string[];
  readonly tags: readonly string[];
  readonly excludeTags: readonly string[];
  /** Takes the first so many cases. */
  readonly limit?: number;
  /** Draws so many cases at random, by the seed of the run. */
  readonly sample?: number;
  /** `1/4`: the first of four parts. */
  readonly shard?: { readonly index: number; readonly of: number };
}

/** Whether an id matches one of these ids or globs; `*` is any text, `?` one character. */
export function matchesAny(id: string, patterns: readonly string[]): boolean {
  return patterns.some(
    (pattern) => pattern === id || (/[*?]/.test(pattern) && matchesGlob([...id], [...pattern])),
  );
}

/** Whether tags match: at least one of `tags` if there are any, and none of `excludeTags`. */
export function tagsSelect(
  own: readonly string[],
  selection: Pick<Selection, 'tags' | 'excludeTags'>,
): boolean {
  if (own.some((tag) => selection.excludeTags.includes(tag))) return false;
  return selection.tags.length === 0 || own.some((tag) => selection.tags.includes(tag));
}

/** Only the last `*` is retried, so that no pattern takes long. */
function matchesGlob(text: readonly string[], pattern: readonly string[]): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let i = 0; i < text.length;) {
    if (pattern[at] === '*') {
      star = at++;
      resume = i;
    } else if (pattern[at] === '?' || pattern[at] === text[i]) {
      at += 1;
      i += 1;
    } else if (star >= 0) {
      at = star + 1;
      i = ++resume;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every((rest) => rest === '*');
}
