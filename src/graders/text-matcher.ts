import * as z from 'zod';

import { matches, patternProblem } from './bounded-regexp.ts';

/** Whether a text, or the pattern it spells as `/pattern/flags`, fits what was observed. */
export type TextMatcher = (observed: string) => boolean;

/** How a plain text is compared; a pattern may match anywhere. */
export type Comparison = 'contains' | 'equals';

/** A text or a `/pattern/`, checked. */
export const matcherText = z.lazy(() =>
  z
    .string()
    .min(1, 'must not be empty')
    .superRefine((text, context) => {
      const pattern = patternIn(text);
      const problem = pattern === undefined ? undefined : patternProblem(pattern.source, pattern.flags);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem.message });
    }),
);

export function matcherOf(text: string, comparison: Comparison): TextMatcher {
  const pattern = patternIn(text);
  if (pattern !== undefined) return (observed) => matches(pattern.source, pattern.flags, observed);
  return comparison === 'equals' ? (observed) => observed === text : (observed) => observed.includes(text);
}

/**
 * The pattern that a text spells, if it does. What stands between two slashes is one; with flags behind the second,
 * no bare slash may stand between them, so that an absolute path such as `/home/me/is` stays a text.
 */
export function patternIn(text: string): { readonly source: string; readonly flags: string } | undefined {
  const [, source, flags = ''] = /^\/(.+)\/([dgimsuvy]*)$/s.exec(text) ?? [];
  if (source === undefined) return undefined;
  return flags !== '' && /(?<!\\)\//.test(source) ? undefined : { source, flags };
}
