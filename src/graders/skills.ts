import * as z from 'zod';

import type { GraderPlugin } from '../core/plugin.ts';
import { deciding } from './deciding.ts';
import { assertReported, CONFIDENCES, rankOf, skillUsesOf } from './effects.ts';
import { decideUses, textShown, type ExpectedUse } from './expected-uses.ts';
import { matcherOf, matcherText } from './text-matcher.ts';

const names = z.lazy(() => z.array(matcherText).min(1));

const config = z.lazy(() =>
  z
    .strictObject({
      used: names
        .optional()
        .describe('Names of skills or /patterns/; each must match a skill that was used.'),
      not_used: names
        .optional()
        .describe('Names of skills or /patterns/; none may match a skill that was used.'),
      min_confidence: z
        .enum(CONFIDENCES)
        .optional()
        .describe(
          'How sure assay must be that the skill was used. explicit: the agent called its skill tool. strong: it read SKILL.md of a folder in `skills`. medium: SKILL.md of another folder of the workspace. weak: another file of the skill. Default: weak.',
        ),
    })
    .refine(({ used, not_used }) => (used ?? not_used) !== undefined, {
      error: 'give `used` or `not_used`',
    }),
);

export const skills: GraderPlugin<z.infer<typeof config>> = {
  type: 'skills',
  version: 1,
  summary: 'The agent used, or did not use, skills.',
  config,
  create: ({ used = [], not_used = [], min_confidence = 'weak' }) =>
    deciding((subject) => {
      if (not_used.length > 0) assertReported(subject, 'skills');
      const least = rankOf(min_confidence);
      const seen = skillUsesOf(subject.transcript).filter(({ confidence }) => rankOf(confidence) >= least);
      const values = seen.map(({ skillUse }) => skillUse);
      return decideUses(used.map(expectedUse), not_used.map(expectedUse), { things: 'skills', values });
    }),
};

function expectedUse(text: string): ExpectedUse {
  return { shown: textShown(text), fits: matcherOf(text, 'equals') };
}
