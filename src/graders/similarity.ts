import { distance } from 'fastest-levenshtein';
import * as z from 'zod';

import type { Finding } from '../core/grade.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import { round9 } from '../lib/text/decimals.ts';
import { plural } from '../lib/text/plural.ts';
import { embeddingSimilarity } from './embedding-similarity.ts';
import { answerShown, quoted } from './excerpt.ts';
import { referenceOf } from './reference.ts';
import { textValue } from './text-value.ts';

const config = z.lazy(() =>
  z
    .strictObject({
      metric: z
        .enum(['levenshtein', 'jaccard', 'rouge_l', 'cosine'])
        .describe(
          '`levenshtein`: 1 - edits / length of the longer text. `jaccard`: shared words / all words. ' +
            '`rouge_l`: F1 of the longest common sequence of words. Words ignore case and punctuation. ' +
            '`cosine`: similarity of meaning, by the embeddings of `model`.',
        ),
      value: textValue
        .optional()
        .describe('The text to compare with. Default: the expected output of the test.'),
      max_edits: z
        .int()
        .nonnegative()
        .optional()
        .describe(
          'For `metric: levenshtein`: the score is 1 with at most so many edits, and else 0. ' +
            'An edit adds, removes or replaces a character.',
        ),
      model: z
        .string()
        .regex(/^[^/\s]+\/\S+$/, 'write it as provider/name, such as openai/text-embedding-3-small')
        .optional()
        .describe('Embedding model of `metric: cosine`, as provider/name.'),
    })
    .superRefine(({ metric, model, max_edits: mostEdits }, context) => {
      if (mostEdits !== undefined && metric !== 'levenshtein')
        context.addIssue({
          code: 'custom',
          path: ['max_edits'],
          message: 'only `metric: levenshtein` counts edits',
        });
      if ((metric === 'cosine') === (model !== undefined)) return;
      const message =
        model === undefined
          ? '`metric: cosine` needs an embedding model, such as `model: openai/text-embedding-3-small`'
          : 'only `metric: cosine` takes a model';
      context.addIssue({ code: 'custom', path: model === undefined ? [] : ['model'], message });
    }),
);

type Config = z.infer<typeof config>;

export const similarity: GraderPlugin<Config> = {
  type: 'similarity',
  version: 1,
  summary: 'The answer is similar to a text.',
  config,
  readsReference: ({ value }) => value === undefined,
  models: ({ model }) => (model === undefined ? [] : [{ model }]),
  create: ({ metric, value, model, max_edits: mostEdits }, services) => ({
    grade: async (subject, signal) => {
      const expected = value ?? referenceOf(subject).text;
      const [left, right] = [subject.answer, expected].map((text) => text.trim().normalize('NFC')) as [
        string,
        string,
      ];
      if (mostEdits !== undefined) return [fewEdits(subject.answer, { left, right, mostEdits })];
      const isEmpty = left === '' || right === '';
      const { score, ...asked } =
        metric !== 'cosine'
          ? { score: round9(METRICS[metric](left, right)) }
          : // Most providers refuse to embed an empty text.
            isEmpty
            ? { score: left === right ? 1 : 0 }
            : await embeddingSimilarity({ left, right, model: model ?? '' }, { subject, services }, signal);
      const reason = `${metric} similarity to ${quoted(expected, 80)} is ${round9(Math.round(score * 1000) / 1000)}`;
      return [
        { score, reason: score === 1 ? reason : `${reason}; ${answerShown(subject.answer)}`, ...asked },
      ];
    },
  }),
};

/** Texts whose lengths differ by more are not compared. */
function fewEdits(
  answer: string,
  { left, right, mostEdits }: Readonly<Record<'left' | 'right', string> & { readonly mostEdits: number }>,
): Finding {
  const least = Math.abs(left.length - right.length);
  if (least <= mostEdits) limit(Math.max(left.length, right.length), MOST_CHARACTERS, 'characters');
  const edits = least > mostEdits ? least : distance(left, right);
  const counted = `${least > mostEdits ? 'at least ' : ''}${plural(edits, 'edit')}`;
  const reason = `${counted} from ${quoted(right, 80)}, at most ${mostEdits} allowed`;
  return edits <= mostEdits
    ? { score: 1, reason }
    : { score: 0, reason: `${reason}; ${answerShown(answer)}` };
}

type TextMetric = Exclude<Config['metric'], 'cosine'>;

const METRICS: Readonly<Record<TextMetric, (left: string, right: string) => number>> = {
  levenshtein,
  jaccard,
  rouge_l: rougeL,
};

/** Time grows with the product of the lengths; these limits keep one comparison below about 0.1 s. */
const MOST_CHARACTERS = 20_000;
const MOST_WORDS = 5_000;

function levenshtein(left: string, right: string): number {
  const longest = Math.max(left.length, right.length);
  limit(longest, MOST_CHARACTERS, 'characters');
  return longest === 0 ? 1 : 1 - distance(left, right) / longest;
}

function jaccard(left: string, right: string): number {
  const [mine, theirs] = [new Set(words(left)), new Set(words(right))];
  const shared = [...mine].filter((word) => theirs.has(word)).length;
  const all = mine.size + theirs.size - shared;
  return all === 0 ? sameSigns(left, right) : shared / all;
}

function rougeL(left: string, right: string): number {
  const [mine, theirs] = [words(left), words(right)];
  limit(Math.max(mine.length, theirs.length), MOST_WORDS, 'words');
  if (mine.length + theirs.length === 0) return sameSigns(left, right);
  return (2 * longestCommon(mine, theirs)) / (mine.length + theirs.length);
}

/** Texts without words, such as a single emoji, are similar only if they are equal. */
function sameSigns(left: string, right: string): number {
  return left === right ? 1 : 0;
}

function longestCommon(left: readonly string[], right: readonly string[]): number {
  const numbers = new Map<string, number>();
  const numbered = (list: readonly string[]) =>
    Int32Array.from(list, (word) => {
      const known = numbers.get(word) ?? numbers.size;
      numbers.set(word, known);
      return known;
    });
  const [rows, columns] = [numbered(left), numbered(right)];
  let above = new Int32Array(columns.length + 1);
  let row = new Int32Array(columns.length + 1);
  for (const word of rows) {
    for (let j = 0; j < columns.length; j++) {
      row[j + 1] = word === columns[j] ? (above[j] ?? 0) + 1 : Math.max(above[j + 1] ?? 0, row[j] ?? 0);
    }
    [above, row] = [row, above];
  }
  return above[columns.length] ?? 0;
}

function words(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

function limit(length: number, most: number, unit: string): void {
  if (length <= most) return;
  throw new Error(
    `the texts are too long to compare: ${length} ${unit}, at most ${most}; use \`metric: jaccard\`, which has no limit, or a shorter reference`,
  );
}
