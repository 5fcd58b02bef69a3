import type { SimulatedPlan } from '../core/user.ts';
import { lastOf, type SaidTurn } from './history.ts';
import { SIMULATOR_RULES } from './simulator-prompt.ts';

/** Kinds of doubtful behaviour of a simulated user. */
export interface AuditFinding {
  readonly flag: 'prompt-leak' | 'unknown-fact' | 'early-stop' | 'repeat';
  /** The observation, for people. */
  readonly about: string;
}

/** A new turn of a model, and the conversation before it. */
export interface AuditedTurn {
  readonly message: string | null;
  readonly done: boolean;
  readonly reason: string | null;
  readonly before: readonly SaidTurn[];
}

/** Checks a simulated person without a model. `lines`: texts of the person's author. */
export function createAudit(
  plan: Omit<SimulatedPlan, 'type'>,
  lines: readonly string[],
): (turn: AuditedTurn) => readonly AuditFinding[] {
  const secrets = [...SIMULATOR_RULES, plan.persona?.instructions ?? ''].map(wordsOf);
  const leaks = new Set(secrets.flatMap((words) => runsOf(words)));
  const written = [
    JSON.stringify(plan.context ?? null),
    ...textsIn(plan.context),
    ...lines,
    ...(plan.goals ?? []),
  ];
  const own = [...written, ...Object.values(plan.persona ?? {})].join('\n').toLowerCase();
  return (turn) => [
    ...leakIn(turn, leaks),
    ...unknownIn(turn, own),
    ...stoppedEarly(turn),
    ...repeated(turn),
  ];
}

const LEAK_WORDS = 12;

function leakIn({ message }: AuditedTurn, leaks: ReadonlySet<string>): readonly AuditFinding[] {
  const leak = runsOf(wordsOf(message ?? '')).find((run) => leaks.has(run));
  return leak === undefined ? [] : [{ flag: 'prompt-leak', about: `it repeats its instructions: ${leak}` }];
}

function unknownIn({ message, before }: AuditedTurn, own: string): readonly AuditFinding[] {
  const said = before.flatMap(({ by, text }) => (by === 'agent' ? [text.toLowerCase()] : []));
  const known = [own, ...said].join('\n');
  const unknown = factsIn(message ?? '').filter((token) => !known.includes(token.toLowerCase()));
  return [...new Set(unknown)].map((token) => ({
    flag: 'unknown-fact',
    about: `it uses ${token}, which it cannot know`,
  }));
}

function stoppedEarly({ done, reason, before }: AuditedTurn): readonly AuditFinding[] {
  if (!done || reason !== 'satisfied') return [];
  const isQuestion = /[?？]["'”’»*_)\]\s]*$/u.test(lastOf(before, 'agent') ?? '');
  return isQuestion
    ? [{ flag: 'early-stop', about: 'it ended the conversation as satisfied while a question was open' }]
    : [];
}

function repeated({ message, before }: AuditedTurn): readonly AuditFinding[] {
  const previous = lastOf(before, 'user');
  const isSame = message !== null && previous !== undefined && sameLine(previous) === sameLine(message);
  return isSame ? [{ flag: 'repeat', about: 'it repeated its previous message' }] : [];
}

function sameLine(text: string): string {
  return text.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}'’]+/gu) ?? []
  );
}

/** Every sequence of words that is long enough to show a copy. */
function runsOf(words: readonly string[]): readonly string[] {
  const count = Math.max(0, words.length - LEAK_WORDS + 1);
  return Array.from({ length: count }, (_, start) => words.slice(start, start + LEAK_WORDS).join(' '));
}

/** Tokens of at least four characters with a digit: order numbers, dates, amounts. */
function factsIn(text: string): readonly string[] {
  const tokens = text.match(/[\p{L}\p{N}](?:[^\s"'“”’()<>]*[\p{L}\p{N}])?/gu) ?? [];
  return tokens.filter((token) => [...token].length >= 4 && /\p{N}/u.test(token));
}

/** The texts and numbers of a context, without JSON escapes. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.entries(value).flatMap(([key, member]) => [key, ...textsIn(member)]);
}
