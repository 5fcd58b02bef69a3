import type { Subject } from '../../core/grade.ts';
import { textOf } from '../../core/message.ts';
import { isAnswer, toolCalls, type Transcript } from '../../core/transcript.ts';
import type { JsonObject } from '../../lib/json.ts';
import { remembering } from '../../lib/text/remembering.ts';
import { questionOf, referenceOf } from '../code-judge-document.ts';
import { snakeEntry } from '../code-judge-entry.ts';
import type { CheckCall, CheckFacts, CheckTurn } from './check-input.ts';
import { readerOf } from './read-names.ts';

/**
 * The data for a check. `text`: the check itself, if that is a text; then only what it names is put together, and the
 * rest is empty.
 */
export function checkFacts(subject: Subject, config: JsonObject | undefined, text?: string): CheckFacts {
  const { case: testCase, transcript, measures } = subject;
  const read = text === undefined ? EVERYTHING : partsRead(text);
  const calls = read.calls ? callsOf(transcript) : [];
  return {
    output: subject.answer,
    vars: testCase.vars ?? {},
    metadata: testCase.metadata ?? {},
    expected: referenceOf(testCase.expectedOutput ?? []),
    question: questionOf(subject),
    criteria: testCase.criteria ?? null,
    turns: read.turns ? turnsOf(transcript, calls) : [],
    toolCalls: calls,
    transcript: read.transcript ? transcript.map(snakeEntry) : [],
    testId: testCase.id,
    target: subject.target,
    durationMs: measures.durationMs,
    costUsd: measures.costUsd,
    workspacePath: subject.workspace?.directory ?? null,
    config: config ?? {},
  };
}

const EVERYTHING = { calls: true, turns: true, transcript: true };

/** The parts that a text reads; the others need not be put together. */
const partsRead = remembering(512, (text) => {
  const isRead = readerOf(text);
  const turns = isRead('turns');
  return {
    calls: turns || isRead('tool_?[Cc]alls') || isRead('calls'),
    turns,
    transcript: isRead('transcript'),
  };
});

function callsOf(transcript: Transcript): readonly CheckCall[] {
  return toolCalls(transcript).map(({ call, result }) => ({
    tool: call.name,
    input: call.input ?? null,
    output: result?.output ?? null,
    failed: result?.failed === true,
    turn: call.turn,
  }));
}

function turnsOf(transcript: Transcript, calls: readonly CheckCall[]): readonly CheckTurn[] {
  const said = new Map<number, { readonly user: string[]; readonly assistant: string[] }>();
  for (const entry of transcript) {
    const words = said.get(entry.turn) ?? { user: [], assistant: [] };
    said.set(entry.turn, words);
    if (entry.type !== 'message') continue;
    if (entry.role === 'user') words.user.push(textOf(entry.parts));
    else if (isAnswer(entry)) words.assistant.push(textOf(entry.parts));
  }
  return [...said].map(([turn, { user, assistant }]) => ({
    turn,
    user: user.join('\n'),
    assistant: assistant.join('\n'),
    calls: calls.filter((call) => call.turn === turn),
  }));
}
