import { expect, test } from 'vitest';

import { given } from '../lib/given.ts';
import { reportOf, type ReportedSession } from './report-of.ts';
import type { EntryBody, TranscriptEntry } from './transcript.ts';

const session: ReportedSession = {
  runner: { id: 'bot', pathKey: 'bot', agent: { type: 'mock', model: '' } },
  prompt: 'go',
};

const at = '2026-01-01T00:00:00.000Z';

const says = (text: string, parentCallId?: string): TranscriptEntry => ({
  at,
  id: text,
  turn: 1,
  type: 'message',
  role: 'assistant',
  parts: [{ text }],
  ...given({ parentCallId }),
});

const phases = (transcript: readonly TranscriptEntry[]) => {
  const { events, finalOutput } = reportOf(transcript, session);
  return {
    finalOutput,
    texts: events.flatMap((event) => (event.type === 'message' ? [[event.text, event.phase]] : [])),
  };
};

test('the last message of a sub-agent is not the answer', () => {
  expect(phases([says('looking'), says('the answer'), says('of a sub-agent', 'call-1')])).toEqual({
    finalOutput: 'the answer',
    texts: [
      ['go', undefined],
      ['looking', 'commentary'],
      ['the answer', 'final'],
      ['of a sub-agent', 'commentary'],
    ],
  });
});

test('a session with only messages of a sub-agent has no answer', () => {
  expect(phases([says('of a sub-agent', 'call-1')])).toEqual({
    finalOutput: '',
    texts: [
      ['go', undefined],
      ['of a sub-agent', 'commentary'],
    ],
  });
});

test('a file read by a call stays listed when a later call of the same id fails', () => {
  const entry = (turn: number, body: EntryBody): TranscriptEntry => ({ id: `e${turn}`, at, turn, ...body });
  const call = (path: string): EntryBody => ({
    type: 'tool-call',
    callId: '1',
    name: `read ${path}`,
    input: null,
    effects: [{ fileRead: path }],
  });
  const { events, files } = reportOf(
    [
      entry(1, call('/a')),
      entry(1, { type: 'tool-result', callId: '1', output: 'A' }),
      entry(2, call('/b')),
      entry(2, { type: 'tool-result', callId: '1', output: 'no', failed: true }),
    ],
    session,
  );
  expect(files.observedReads).toEqual(['/a']);
  expect(events.filter(({ type }) => type === 'fileRead' || type === 'toolResult')).toEqual([
    { at, type: 'fileRead', path: '/a' },
    { at, type: 'toolResult', tool: 'read /a', output: 'A' },
    { at, type: 'toolResult', tool: 'read /b', output: 'no' },
  ]);
});
