import { textOf, type Message } from '../core/message.ts';
import type { ModelMessage } from '../core/model.ts';
import { isAnswer, type Transcript } from '../core/transcript.ts';

const OPENING = '(The conversation begins.)';
const NO_ANSWER = '(no answer)';

/** A conversation as the model that plays the user sees it: the agent speaks to it, and its own lines are its answers. */
export function flippedHistory(turns: readonly SaidTurn[]): readonly ModelMessage[] {
  const messages: ModelMessage[] = [heard(OPENING)];
  for (const { by, text } of turns) {
    if (by === 'user') messages.push({ role: 'assistant', text });
    else messages.push(heard(text.trim() === '' ? NO_ANSWER : text));
  }
  return messages;
}

/** What one side said in its turn. */
export interface SaidTurn {
  readonly by: 'user' | 'agent';
  readonly text: string;
}

/** The turns of both sides as texts, tool calls and thoughts left out; a turn without any text is there all the same. */
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

/** What both sides said before the conversation. */
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
