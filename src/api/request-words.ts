/** What the command line calls a part of a request, and what the API calls it. Longer words come first. */
const WORDS: readonly (readonly [command: string, request: string])[] = [
  ['assay cases list --status any', 'GET /api/v1/test-cases?status=any'],
  ['assay cases list PATH --status any', 'GET /api/v1/test-cases?status=any'],
  ['assay resume RUN --max-cost USD', 'POST /api/v1/runs/RUN/resume with budget_usd'],
  ['--retry errored,cancelled', '"retry": ["errored", "cancelled"]'],
  ['--first-speaker agent', '"first_speaker": "agent"'],
  ['--allow-unknown-cost', '"allow_unknown_cost": true'],
  ['--accept-changes', '"accept_changes": true'],
  ['--status any', '"status": "any" in `select`'],
  ['--tag-any', 'select.tag_any'],
  ['--tag-all', 'select.tag_all'],
  ['--difficulty', 'select.difficulty'],
  ['--status', 'select.status'],
  ['--search', 'select.search'],
  ['--id', 'select.id'],
  ['--set', 'select.set'],
  ['--max-cost', 'budget_usd'],
  ['--max-errored', 'max_errored'],
  ['--max-steps', 'limits.max_steps'],
  ['--timeout', 'limits.timeout_ms'],
  ['--repeat', 'repetitions'],
  ['--concurrency', 'concurrency'],
  ['--fail-fast', 'fail_fast'],
  ['--baseline', 'baseline'],
  ['--threshold', 'threshold'],
  ['--on-conflict', 'on_conflict'],
  ['--gate', 'gates'],
  ['--judge', 'judge'],
  ['--target', 'targets'],
  ['--retry', 'retry'],
  ['--match', 'match'],
  ['--drop', 'drop'],
  ['--sample', 'sample'],
  ['--limit', 'limit'],
  ['--seed', 'seed'],
];

const REQUEST_OF = new Map(WORDS);
const FLAG_OF = new Map(WORDS.map(([command, request]) => [request, command]));
// Names and texts of users stand in double quotes.
const COMMANDS = new RegExp(
  `"[^"]*"|(?<quoted>\`?)(?<![\\w-])(?<command>${WORDS.map(([command]) => command).join('|')})(?![\\w-])\\k<quoted>`,
  'g',
);

/** What YAML calls a part of a value, and what JSON calls it. */
const PARTS = new Map([
  ['a mapping', 'an object'],
  [', got nothing', ', got null'],
]);
const IN_YAML = /"[^"]*"|\ba mapping\b|, got nothing$/g;

/** A message that may name flags, commands and parts of YAML, in the words of the API. */
export function inRequestWords(text: string): string {
  const named = text.replaceAll(COMMANDS, (found, _quoted?: string, command?: string) => {
    if (command === undefined) return found;
    const word = REQUEST_OF.get(command) ?? command;
    return word.includes('`') ? word : `\`${word}\``;
  });
  return named.replaceAll(IN_YAML, (found) => PARTS.get(found) ?? found);
}

/** The flag for a key of a request, such as `--tag-any` for `select.tag_any`. */
export function flagOf(key: string): string | undefined {
  return FLAG_OF.get(key);
}

/** A header of the command line: with `command`, errors name its flags and not the keys of a request. */
export const WORDS_HEADER = 'assay-words';
