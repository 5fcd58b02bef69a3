import { textOf } from '../../core/message.ts';
import type { Yielded } from '../../core/target.ts';
import { isAnswer } from '../../core/transcript.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { AgentExit, AgentFailure, AgentParser, Reading, Terminal } from './adapter.ts';
import { foreignObject } from '../../lib/text/json-depth.ts';

/** The state of a turn after some lines. */
export interface TurnState {
  readonly terminal?: Terminal;
  readonly abandon?: AgentFailure;
  readonly settles?: NonNullable<Reading['settles']>;
  readonly sessionId?: string;
  readonly version?: string;
  readonly steps?: number;
  readonly notes: readonly string[];
  /** Events of unknown kinds: how many of each kind. */
  readonly unknown: ReadonlyMap<string, number>;
  readonly foreignLines: number;
  /** Whether any message or tool call was recognised; the text of the terminal event does not count. */
  readonly isRecognised: boolean;
}

/** Parses the lines of one turn: returns the entries of each, and collects everything else. */
export interface TurnReader {
  line(text: string): readonly Yielded[];
  end(exit: AgentExit): readonly Yielded[];
  /** The last step that began without an entry since the last call. */
  takeStep(): number | undefined;
  /** Lines for the program since the last call. */
  takeMessages(): readonly JsonObject[];
  state(): TurnState;
}

/**
 * One call id gives one tool-call and one tool-result, even if the stream repeats them, until another call reuses an id
 * that has a result. Everything after the terminal event is ignored.
 */
export function turnReader(parser: AgentParser): TurnReader {
  const unknown = new Map<string, number>();
  const notes: string[] = [];
  const isNew = unlessRepeated();
  let said: Partial<TurnState> = {};
  const messages: JsonObject[] = [];
  const begun: number[] = [];
  let answer = '';
  let foreignLines = 0;
  let isRecognised = false;

  const take = (reading: Reading): readonly Yielded[] => {
    const { entries = [], stepBegan, unknown: kind, notes: newNotes = [], send = [], ...rest } = reading;
    if (stepBegan !== undefined) begun.push(stepBegan);
    messages.push(...send);
    if (kind !== undefined) unknown.set(kind, (unknown.get(kind) ?? 0) + 1);
    notes.push(...newNotes);
    const { settles: _old, ...lasting } = said;
    said = { ...lasting, ...rest };
    const fresh = entries.filter(isNew);
    for (const entry of fresh) if (isAnswer(entry)) answer = textOf(entry.parts);
    isRecognised ||= fresh.some(({ type }) => type === 'message' || type === 'tool-call');
    const { terminal } = reading;
    if (terminal?.ok === true && terminal.text !== undefined && terminal.text.trim() !== answer.trim()) {
      fresh.push({ type: 'message', role: 'assistant', parts: [{ text: terminal.text }] });
    }
    return fresh;
  };

  return {
    line(text) {
      if (said.terminal !== undefined || text.trim() === '') return [];
      const event = foreignObject(text);
      if (event !== undefined) return take(parser.line(event));
      foreignLines += 1;
      return [];
    },
    end(exit) {
      const { terminal } = said;
      const entries = take(parser.end(exit));
      // The exit may explain a failure, but does not change a success.
      if (terminal?.ok === true) said = { ...said, terminal };
      return entries;
    },
    takeStep: () => begun.splice(0).at(-1),
    takeMessages: () => messages.splice(0),
    state: () => ({ ...said, notes, unknown, foreignLines, isRecognised }),
  };
}

/** Whether an entry is new, and not a repetition of a call or result. */
function unlessRepeated(): (entry: Yielded) => boolean {
  /** Reported calls by id. */
  const calls = new Map<string, string>();
  const results = new Set<string>();
  return (entry) => {
    if (entry.type !== 'tool-call' && entry.type !== 'tool-result') return true;
    const { callId } = entry;
    if (entry.type === 'tool-result') {
      if (results.has(callId)) return false;
      results.add(callId);
      return true;
    }
    const called = JSON.stringify([entry.name, entry.input]);
    const isRepeated = calls.has(callId) && (!results.has(callId) || calls.get(callId) === called);
    if (isRepeated) return false;
    calls.set(callId, called);
    results.delete(callId);
    return true;
  };
}
