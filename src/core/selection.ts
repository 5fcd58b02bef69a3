/** What of the authored cases a run takes. Filters of different kinds all have to hold; empty ones hold. */
export interface Selection {
  /** Names; they replace every `execution.target`. */
  readonly targets: readonly string[];
  /** Ids or globs (`*`, `?`). */
  readonly cases: readonly string[];
  readonly tags: readonly string[];
  readonly excludeTags: readonly string[];
  /** At most so many cases, the first ones. */
  readonly limit?: number;
  /** So many cases, drawn by the run's seed. */
  readonly sample?: number;
  /** `1/4`: the first of four parts. */
  readonly shard?: { readonly index: number; readonly of: number };
}

/** Whether an id is one of these ids or globs; `*` is any text, `?` one character. */
export function matchesAny(id: string, patterns: readonly string[]): boolean {
  return patterns.some(
    (pattern) => pattern === id || (/[*?]/.test(pattern) && matchesGlob([...id], [...pattern])),
  );
}

/** Whether tags let a case in: one of `tags` where any are named, and none of `excludeTags`. */
export function tagsSelect(
  own: readonly string[],
  selection: Pick<Selection, 'tags' | 'excludeTags'>,
): boolean {
  if (own.some((tag) => selection.excludeTags.includes(tag))) return false;
  return selection.tags.length === 0 || own.some((tag) => selection.tags.includes(tag));
}

/** Only the last `*` is ever tried again, so that no pattern takes long. */
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
