import { expect, test } from 'vitest';

import { readRunRequest } from './run-request.ts';
import { readStartRequest } from './start-request.ts';

test.each([
  [{ type: 'simulated', model: 'a/b' }, { model: 'a/b' }],
  [{ model: 'a/b' }, { model: 'a/b' }],
  [
    { type: 'scripted', messages: ['Hi'] },
    { type: 'scripted', messages: ['Hi'] },
  ],
])('the user %j of a request is kept as %j', (user, kept) => {
  expect(readStartRequest({ user }, []).request?.options.request).toEqual({ laid: { user: kept } });
});

test.each([
  [{ type: 'scripted' }, ['`user.messages` is missing']],
  [{ type: 'scripted', model: 'a/b', messages: [] }, ['unknown key `model` in user']],
  [{ type: 'simulated', messages: [] }, ['unknown key `messages` in user']],
  [{ model: 'a/b', messages: [] }, ['unknown key `messages` in user']],
  [{ type: 'x' }, ['user.type: "x" is not one of: simulated, scripted']],
  [true, ['user: expected a text or a mapping, got true']],
])('the user %j of a request is refused', (user, messages) => {
  expect(readRunRequest({ user }, []).faults.map(({ message }) => message)).toEqual(messages);
});

test.each([
  [
    'judge',
    'model, target, temperature, max_output_tokens, metrics, pass_threshold, score_gate, tool_calls, outcomes, max_input_chars, timeout_ms, samples',
  ],
  ['user', 'type, model, target, temperature, max_output_tokens, audit, audit_judge, messages'],
  ['limits', 'timeout_ms, turn_timeout_ms, idle_timeout_ms, max_turns, max_steps, max_tokens, max_cost_usd'],
  ['faults', 'tool, kind, delay_ms, on_call, probability'],
])('a request may have under %s only the keys %s', (section, keys) => {
  const unknown = { no_such_key: 1 };
  const body = { [section]: section === 'faults' ? [unknown] : unknown };
  const { faults } = readStartRequest(body, []);
  const hints = faults.flatMap(({ code, hint }) => (code === 'unknown-key' ? [hint] : []));
  expect(hints).toEqual([`known: ${keys}`]);
});
