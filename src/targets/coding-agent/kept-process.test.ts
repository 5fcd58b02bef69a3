import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test, vi } from 'vitest';

import { temporaryFolder, worldOf } from '../../../test/contracts/target.ts';
import type { Yielded } from '../../core/target.ts';
import type { AgentParser } from './adapter.ts';
import { keptProcess, type KeptTurn } from './kept-process.ts';
import type { TurnRun } from './run-turn.ts';
import type { StepBegan } from './session-memory.ts';
import { turnReader } from './turn-reader.ts';

/** A message to a program that is a shell script. */
function turnOf(script: string, parser: Partial<AgentParser> = {}): KeptTurn {
  return {
    program: { command: ['/bin/sh', '-c', script], name: 'talker', target: 'target', install: 'write it' },
    args: [],
    env: { PATH: '/usr/bin:/bin' },
    directory: temporaryFolder(),
    world: worldOf(),
    turn: 1,
    reader: turnReader({ line: () => ({}), end: () => ({}), ...parser }),
    opening: [{ say: 1 }],
    cancel: () => [],
  };
}

async function endOf(turn: AsyncGenerator<Yielded | StepBegan, TurnRun>): Promise<TurnRun> {
  for (;;) {
    const next = await turn.next();
    if (next.done === true) return next.value;
  }
}

const running = new AbortController().signal;

test('a last line without a line end that the parser breaks at is an output that cannot be read', async () => {
  const line = () => {
    throw new Error('a price is not a number');
  };
  const kept = keptProcess();
  await expect(endOf(kept.turn(turnOf(`printf '{"price":"x"}'`, { line }), running))).rejects.toMatchObject({
    kind: 'normalization',
    message: 'could not parse the output of the agent: a price is not a number',
  });
  expect(kept.waits()).toBe(false);
  expect(await kept.end()).toBeUndefined();
});

const stepper: Partial<AgentParser> = {
  line: (event) =>
    'step' in event
      ? { entries: [{ type: 'tool-call', callId: 'c', name: 'look', input: {} }] }
      : { terminal: { ok: false, failure: { kind: 'runner-crash', message: 'cancelled' } } },
};

test.each([
  ['it is called off', `read hello; echo '{"step":1}'; read more; echo '{"done":1}'; cat > /dev/null`],
  ['it is over', `read hello; echo '{"step":1}\n{"done":1}'; cat > /dev/null`],
])('a turn that is not read any more when %s leaves no timer', async (_, script) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const stop = new AbortController();
  const kept = keptProcess();
  const turn = { ...turnOf(script, stepper), cancel: () => [{ cancel: 1 }] };
  await kept.turn(turn, stop.signal).next();
  stop.abort(new Error('a step too many'));
  await kept.end();
  expect(vi.getTimerCount()).toBe(0);
});

test('a turn that is called off before its program was started does not start it', async () => {
  const kept = keptProcess();
  const turn = turnOf('touch started; cat > /dev/null');
  const reason = new Error('time is up');
  await expect(endOf(kept.turn(turn, AbortSignal.abort(reason)))).rejects.toBe(reason);
  expect(await kept.end()).toBeUndefined();
  expect(existsSync(join(turn.directory, 'started'))).toBe(false);
});
