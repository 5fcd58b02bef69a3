import { textOf, type Message } from '../core/message.ts';
import type { ModelMessage } from '../core/model.ts';
import { isAnswer, type Transcript } from '../core/transcript.ts';

const OPENING = '(The conversation begins.)';
const NO_ANSWER = '(no answer)';

/**
 * A conversation from the view of the model that plays the user: the agent is its user, and its own lines are the
 * answers.
 */
export function flippedHistory(turns: readonly SaidTurn[]): readonly ModelMessage[] {
  const messages: ModelMessage[] = [heard(OPENING)];
  for (const { by, text } of turns) {
    if (by === 'user') messages.push({ role: 'assistant', text });
    else messages.push(heard(text.trim() === '' ? NO_ANSWER : text));
  }
  return messages;
}

/** The messages of one side in one turn. */
export interface SaidTurn {
  readonly by: 'user' | 'agent';
  readonly text: string;
}

/** The turns of both sides as texts, without tool calls and reasoning; turns without text are kept. */
export function turnsOf(transcript: Transcript): readonly SaidTurn[] {
  const turns: SaidTurn[] = [];
  let texts: string[] | undefined;
  let turn = 0;
  const close = (): void => {
    if (texts !== undefined) turns.push({ by: 'agent', text: texts.join('\n\n') });
    texts = undefined;
  };
  for (const entry of transcript) {
    if (entry.turn !== turn) close();
    turn = entry.turn;
    if (entry.type === 'message' && entry.role === 'user') {
      const before = turns.at(-1);
      if (before?.by === 'user') turns.push({ by: 'agent', text: '' });
      turns.push({ by: 'user', text: textOf(entry.parts) });
      continue;
    }
    texts ??= [];
    if (isAnswer(entry)) texts.push(textOf(entry.parts));
  }
  close();
  if (turns.at(-1)?.by === 'user') turns.push({ by: 'agent', text: '' });
  return turns;
}

/** The messages of both sides before the conversation. */
export function earlierTurns(history: readonly Message[]): readonly SaidTurn[] {
  return history.flatMap(({ role, parts }): readonly SaidTurn[] => {
    if (role !== 'user' && role !== 'assistant') return [];
    return [{ by: role === 'user' ? 'user' : 'agent', text: textOf(parts) }];
  });
}

/** The last text of one side; undefined before its first turn. */
export function lastOf(turns: readonly SaidTurn[], side: SaidTurn['by']): string | undefined {
  return turns.findLast(({ by }) => by === side)?.text;
}

function heard(text: string): ModelMessage {
  return { role: 'user', parts: [{ text }] };
}
