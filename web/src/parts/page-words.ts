/** Why the results of a run are inconclusive, without the flag and the exit code that only a terminal knows. */
export function evidenceWords(text: string): string {
  if (!text.endsWith(EXIT_CODE)) return text;
  const words = `${text.slice(0, -EXIT_CODE.length)}.`;
  return words.replace(TOLERATED, '$1only $2 may$3');
}

const EXIT_CODE = ' (exit code 3).';

/** The whole text, so that no name of a user is meant. */
const TOLERATED =
  /^(\d+ trials? errored, but )--max-errored tolerates only (\d+)(, so the results are inconclusive\.)$/;

/** What to do, as a page can say it; undefined: only a terminal can do it. */
export function pageHint(hint: string | undefined): string | undefined {
  if (hint === undefined || hint === '') return undefined;
  const words = withoutOffer(hint);
  return ELSEWHERE.test(words) ? undefined : words;
}

function withoutOffer(hint: string): string {
  const offer = OFFERS.find(([start, said]) => hint.endsWith(`${start}${said}`));
  return offer === undefined ? hint : `${hint.slice(0, -offer[1].length)}${offer[2] ?? ''}`;
}

const UNSCORED = '; with `judge: { metrics: [] }` only outcomes and criteria need one';
const ASSUMED = '; the cost estimate assumes 4 turns';
const JUDGE = 'add `judge` to the config, the target or the evaluator';

/** Hints that end with a choice that only flags offer: the words before it, itself, what a page says instead. */
const OFFERS: readonly (readonly [start: string, said: string, here?: string])[] = [
  [JUDGE, ', or use --judge'],
  [JUDGE, `, or use --judge${UNSCORED}`, UNSCORED],
  ['.price to { input, output } in USD per million tokens', ', or use --allow-unknown-cost'],
  ['set `price: { input: 0, output: 0 }`', '; or use --allow-unknown-cost'],
  ['set `max_turns` in the case, `run.limits.maxTurns`', ` or \`--max-cost\`${ASSUMED}`, ASSUMED],
  ['set `target`', ', or use --target'],
  ['run more cases', ', or more repetitions (--repeat)'],
  ['use a separate folder for the files of the agent', ', or choose another --out'],
];

/** A flag, a command, or a route of the API. */
const ELSEWHERE = /(^|[\s`(])(--[a-z]|assay [a-z])|\/api\/v1\//;
