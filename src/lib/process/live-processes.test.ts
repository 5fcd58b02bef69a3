import { expect, test } from 'vitest';

import { killAllForGood } from './live-processes.ts';
import { runProcess } from './run-process.ts';

// Alone in its file and its thread (vitest.config.ts): nothing can be started after it.
test('once all are killed for good, what runs is aborted and nothing is started', async () => {
  const never = new AbortController().signal;
  const spec = { cwd: '/', env: { PATH: process.env['PATH'] ?? '' }, graceMs: 60_000 };
  let running: ReturnType<typeof runProcess> | undefined;
  await new Promise<void>((ready) => {
    const command = { shell: 'echo ready; exec sleep 600' };
    running = runProcess({ ...spec, command, onStdout: () => ready() }, never);
  });
  killAllForGood();
  expect(await running).toMatchObject({ outcome: 'aborted', signal: 'SIGKILL' });
  expect(await runProcess({ ...spec, command: ['true'] }, never)).toMatchObject({
    outcome: 'aborted',
    exitCode: null,
    signal: null,
  });
});
