import type { ErrorRecord } from '../../core/errors.ts';
import type { Grade } from '../../core/grade.ts';
import type { Attached, AttachedEntry, Fact, Row } from '../../core/run.ts';
import type { Effect, TranscriptEntry } from '../../core/transcript.ts';
import type { Redaction } from './redaction.ts';

/** The fact without secrets in what was said, found or reported; its types, verdicts, ids and paths as they are. */
export function redactFact(fact: Fact, redaction: Redaction): Fact {
  const { json } = redaction;
  switch (fact.type) {
    case 'transcript-entry':
      return { ...fact, entry: redactEntry(fact.entry, redaction) };
    case 'note':
      return { ...fact, text: json(fact.text) };
    case 'grade':
      return { ...fact, grade: redactGrade(fact.grade, redaction) };
    case 'attempt-end':
      return fact.error === undefined ? fact : { ...fact, error: redactError(fact.error, redaction) };
    case 'trial-end':
      return { ...fact, row: redactRow(fact.row, redaction) };
    case 'run-state':
      return redactKeys(fact, ['reason'], redaction);
    case 'sink-error':
      return { ...fact, message: json(fact.message) };
    default:
      return fact;
  }
}

function redactEntry(
  entry: TranscriptEntry | AttachedEntry,
  redaction: Redaction,
): TranscriptEntry | AttachedEntry {
  if ('attachment' in entry) return redactKeys(entry, ['start'], redaction);
  switch (entry.type) {
    case 'message':
      return { ...entry, parts: entry.parts.map((part) => redactValues(part, redaction)) };
    case 'tool-call': {
      const input = redaction.json(entry.input);
      const { effects } = entry;
      if (effects === undefined) return { ...entry, input };
      return { ...entry, input, effects: effects.map((effect) => redactEffect(effect, redaction)) };
    }
    case 'tool-result':
      return redactKeys(entry, ['output'], redaction);
    case 'usage':
      return entry;
    default:
      return entry satisfies never;
  }
}

function redactEffect(effect: Effect, redaction: Redaction): Effect {
  return 'skillUse' in effect
    ? redactKeys(effect, ['skillUse', 'evidence'], redaction)
    : redactValues(effect, redaction);
}

function redactRow(row: Row, redaction: Redaction): Row {
  const { attempts, grades, error, failureClass, end, output } = row;
  return {
    ...redactKeys(row, ['notes'], redaction),
    attempts: attempts.map((attempt) =>
      attempt.error === undefined ? attempt : { ...attempt, error: redactError(attempt.error, redaction) },
    ),
    grades: grades.map((grade) => redactGrade(grade, redaction)),
    output: isAttached(output) ? redactKeys(output, ['start'], redaction) : redaction.json(output),
    ...(error === undefined ? {} : { error: redactError(error, redaction) }),
    ...(failureClass === undefined ? {} : { failureClass: redactKeys(failureClass, ['label'], redaction) }),
    ...(end === undefined ? {} : { end: redactKeys(end, ['reason'], redaction) }),
  };
}

function isAttached(output: Row['output']): output is Attached {
  return typeof output === 'object' && output !== null;
}

function redactGrade(grade: Grade, redaction: Redaction): Grade {
  const { evidence, members } = grade;
  return {
    ...redactKeys(grade, ['reason', 'details', 'notes'], redaction),
    ...(evidence === undefined
      ? {}
      : { evidence: evidence.map((piece) => redactKeys(piece, ['text'], redaction)) }),
    ...(members === undefined ? {} : { members: members.map((member) => redactGrade(member, redaction)) }),
  };
}

function redactError(error: ErrorRecord, redaction: Redaction): ErrorRecord {
  return redactKeys(error, ['message', 'hint', 'unknownEvents'], redaction);
}

/** What stands under these keys, where it is there; keys keep their order. */
function redactKeys<T extends object>(value: T, keys: readonly (keyof T & string)[], { json }: Redaction): T {
  const there = keys.filter((key) => value[key] !== undefined);
  return { ...value, ...Object.fromEntries(there.map((key) => [key, json(value[key])])) };
}

function redactValues<T extends object>(value: T, redaction: Redaction): T {
  return redactKeys(value, Object.keys(value) as (keyof T & string)[], redaction);
}
