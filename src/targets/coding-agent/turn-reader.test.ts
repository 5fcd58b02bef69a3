import { expect, test } from 'vitest';

import type { Yielded } from '../../core/target.ts';
import type { AgentParser, Reading } from './adapter.ts';
import { turnReader } from './turn-reader.ts';

const EXIT = { exitCode: 0, signal: null, stderr: '', files: {} };
const message = (text: string): Yielded => ({ type: 'message', role: 'assistant', parts: [{ text }] });

/** Reads lines that are readings themselves. */
function reader(end: Reading = {}) {
  const parser: AgentParser = { line: (event) => event as Reading, end: () => end };
  const reading = turnReader(parser);
  return { ...reading, say: (event: Reading) => reading.line(JSON.stringify(event)) };
}

test('one call id gives one call and one result, whatever the stream repeats', () => {
  const { say } = reader();
  const call: Yielded = { type: 'tool-call', callId: 'a', name: 'x', input: {} };
  const result: Yielded = { type: 'tool-result', callId: 'a', output: 'done' };
  expect([call, call, result, call, result].flatMap((entry) => say({ entries: [entry] }))).toEqual([
    call,
    result,
  ]);
});

test('a call with the id of a finished call is a new call, because providers may reuse ids', () => {
  const { say } = reader();
  const call = (command: string): Yielded => ({
    type: 'tool-call',
    callId: '1',
    name: 'sh',
    input: { command },
  });
  const result = (output: string): Yielded => ({ type: 'tool-result', callId: '1', output });
  const said = [call('ls'), call('ls -l'), result('A'), call('rm x'), call('rm x'), result('B'), result('B')];
  expect(said.flatMap((entry) => say({ entries: [entry] }))).toEqual([
    call('ls'),
    result('A'),
    call('rm x'),
    result('B'),
  ]);
});

test('after the terminal event only facts of the end count', () => {
  const last: Yielded = { type: 'usage', inputTokens: 1, outputTokens: 2, totalTokens: 3 };
  const { say, end, state } = reader({
    entries: [last],
    terminal: { ok: false, failure: { kind: 'runner-crash', message: 'x' } },
  });
  say({ entries: [message('done')], terminal: { ok: true } });
  expect(say({ entries: [message('more')], unknown: 'late' })).toEqual([]);
  expect(end(EXIT)).toEqual([last]);
  expect(state()).toEqual({
    terminal: { ok: true },
    notes: [],
    unknown: new Map(),
    foreignLines: 0,
    isRecognised: true,
  });
});

test('the text of the terminal event is a message only if no message came before', () => {
  const { say } = reader();
  say({ entries: [message('the answer')] });
  expect(say({ terminal: { ok: true, text: 'the answer\n' } })).toEqual([]);
  expect(reader().say({ terminal: { ok: true, text: 'the answer' } })).toEqual([message('the answer')]);
});

test('the text of the terminal event does not make its other lines recognised', () => {
  const { say, state } = reader();
  say({ unknown: 'assistant_v2' });
  expect(say({ terminal: { ok: true, text: 'the answer' } })).toEqual([message('the answer')]);
  expect(state().isRecognised).toBe(false);
});

test('lines that are not events are counted, and blank lines are ignored', () => {
  const { line, say, state } = reader();
  for (const text of ['', '  ', 'prose', '[1]', '"text"', '{"half']) expect(line(text)).toEqual([]);
  say({ unknown: 'novelty' });
  say({ unknown: 'novelty', sessionId: 's', version: '1.0.0', notes: ['one'] });
  expect(state()).toEqual({
    sessionId: 's',
    version: '1.0.0',
    notes: ['one'],
    unknown: new Map([['novelty', 2]]),
    foreignLines: 4,
    isRecognised: false,
  });
});

test('the promise to settle holds until the next line', () => {
  const { say, state } = reader();
  const settles = { afterMs: 10, terminal: { ok: true } as const, note: 'quiet' };
  say({ settles });
  expect(state().settles).toEqual(settles);
  say({});
  expect(state().settles).toBeUndefined();
});

test('lines for the program are taken once', () => {
  const { say, takeMessages } = reader();
  say({ send: [{ id: 1 }] });
  say({ send: [{ id: 2 }] });
  expect([takeMessages(), takeMessages()]).toEqual([[{ id: 1 }, { id: 2 }], []]);
});
