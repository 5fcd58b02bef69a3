import { distance } from 'fastest-levenshtein';

/** The candidate that is most similar to a misspelt word, or undefined when none is similar enough. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const steps = typos(wanted, candidate.toLowerCase(), bestDistance);
    if (steps < bestDistance) {
      best = candidate;
      bestDistance = steps;
    }
  }
  return best;
}

/** `did you mean X?`, or undefined when no candidate is similar enough. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const meant = nearest(word, candidates);
  return meant === undefined ? undefined : `did you mean ${meant}?`;
}

/** What to write in place of a misspelt word, or else another hint. */
export function meantOr(word: string, candidates: Iterable<string>, otherwise: string): string {
  const meant = nearest(word, candidates);
  return meant === undefined ? otherwise : `did you mean \`${meant}\`?`;
}

/**
 * Edit distance with insertions, deletions, replacements and transpositions of neighbours, the most common slip. A
 * transposition saves one step, so it is tried only if that could come below `bound`.
 */
function typos(word: string, candidate: string, bound: number): number {
  let least = distance(word, candidate);
  if (least < 2 || least > bound || word.length !== candidate.length || word.length > LONGEST_SWAPPED)
    return least;
  for (let at = 1; at < word.length; at++) {
    const swapped = `${word.slice(0, at - 1)}${word[at]}${word[at - 1]}${word.slice(at + 1)}`;
    least = Math.min(least, 1 + distance(swapped, candidate));
  }
  return least;
}

const LONGEST_SWAPPED = 64;
