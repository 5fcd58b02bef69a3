import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

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
    throw new Error('a price is no number');
  };
  const kept = keptProcess();
  await expect(endOf(kept.turn(turnOf(`printf '{"price":"x"}'`, { line }), running))).rejects.toMatchObject({
    kind: 'normalization',
    message: 'the output of the agent could not be read: a price is no number',
  });
  expect(kept.waits()).toBe(false);
  expect(await kept.end()).toBeUndefined();
});
