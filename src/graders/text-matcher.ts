import * as z from 'zod';

import { matches, patternProblem } from './bounded-regexp.ts';

/** Whether an observed text matches a text, or the pattern `/pattern/flags`. */
export type TextMatcher = (observed: string) => boolean;

/** How a plain text is compared; a pattern may match anywhere. */
export type Comparison = 'contains' | 'equals';

/** A valid text or `/pattern/`. */
export const matcherText = z.lazy(() =>
  z
    .string()
    .min(1, 'must not be empty')
    .superRefine((text, context) => {
      const pattern = patternIn(text);
      const problem = pattern === undefined ? undefined : patternProblem(pattern.source, pattern.flags);
      if (pattern === undefined || problem === undefined) return;
      const inline = problem.leadingFlags;
      const hint = `remove \`(?${inline})\` and write the flag at the end: /PATTERN/${inline}`;
      const params = inline === undefined ? {} : { hint };
      context.addIssue({ code: 'custom', message: problem.message, params });
    }),
);

export function matcherOf(text: string, comparison: Comparison): TextMatcher {
  const pattern = patternIn(text);
  if (pattern !== undefined) return (observed) => matches(pattern.source, pattern.flags, observed);
  return comparison === 'equals' ? (observed) => observed === text : (observed) => observed.includes(text);
}

/**
 * The pattern in a text such as `/pattern/`. With flags after the second slash, the pattern must not contain an
 * unescaped slash, so that a path such as `/home/me/is` stays a text.
 */
export function patternIn(text: string): { readonly source: string; readonly flags: string } | undefined {
  const [, source, flags = ''] = /^\/(.+)\/([dgimsuvy]*)$/s.exec(text) ?? [];
  if (source === undefined) return undefined;
  return flags !== '' && /(?<!\\)\//.test(source) ? undefined : { source, flags };
}
