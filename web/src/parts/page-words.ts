/**
 * A sentence of the command line without what only a terminal knows: its commands, flags and exit codes. A text that is
 * in no clause of its own stays as it is.
 */
export function pageWords(text: string): string {
  return WORDS.reduce((now, [said, here]) => now.replaceAll(said, here), text);
}

const WORDS: readonly (readonly [said: RegExp, here: string])[] = [
  [/ \(exit code \d+\)/g, ''],
  [/--max-errored tolerates only (\d+)/g, 'only $1 may'],
  [/ \(--failed\)/g, ''],
  [/allow it with --across case/g, 'tick “changed cases” above'],
  [/allow it with --across grader/g, 'tick “changed graders” above'],
  [/allow it with --across selection/g, 'tick “another selection of cases” above'],
  [/ with assay (grade|resume( --retry errored)?)/g, ''],
  // A choice that only flags offer.
  [/,? or [^,;()]*--[a-z][^,;()]*/g, ''],
];

/** What to do, as a page can say it; undefined: only a terminal can do it. */
export function pageHint(hint: string | undefined): string | undefined {
  const words = hint === undefined ? '' : pageWords(hint);
  return words === '' || ELSEWHERE.test(words) ? undefined : words;
}

/** A flag, a command, or a route of the API. */
const ELSEWHERE = /(^|[\s`(])(--[a-z]|assay [a-z])|\/api\/v1\//;
