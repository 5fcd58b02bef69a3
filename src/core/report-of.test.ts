import { expect, test } from 'vitest';

import { reportOf, type ReportedSession } from './report-of.ts';
import type { TranscriptEntry } from './transcript.ts';

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
  ...(parentCallId === undefined ? {} : { parentCallId }),
});

const phases = (transcript: readonly TranscriptEntry[]) => {
  const { events, finalOutput } = reportOf(transcript, session);
  return {
    finalOutput,
    texts: events.flatMap((event) => (event.type === 'message' ? [[event.text, event.phase]] : [])),
  };
};

test('what a sub-agent says last is not the answer', () => {
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

test('where only a sub-agent spoke there is no answer', () => {
  expect(phases([says('of a sub-agent', 'call-1')])).toEqual({
    finalOutput: '',
    texts: [
      ['go', undefined],
      ['of a sub-agent', 'commentary'],
    ],
  });
});
