import { expect, test } from 'vitest';

import { recordingOf } from '../support/fake-agent.ts';
import { openProject } from './support/project.ts';

const SUITE = `export const workspace = { mode: 'isolated' };
export default [{ id: 'one', prompt: 'one', assert() {} }];
`;

test.each([
  ['runners', { command: './wrap.sh', commandArgs: ['-p'] }, ['-p', 'codex', 'exec']],
  ['runners', { command: './bin/codex', commandArgs: ['-p'] }, ['-p', 'exec']],
  ['targets', { command: './wrap.sh', commandArgs: ['-p'] }, ['-p', 'exec']],
])('Codex of %s with %o is started with %o', async (word, keys, first) => {
  const recording = recordingOf('codex', '0.169.0/text');
  const script = `#!/bin/sh\necho "$*" >> "$(dirname "$0")/starts"\ncase "$*" in *--version) echo 0.169.0;; *) cat '${recording}';; esac\n`;
  const codex = { type: 'codex', model: 'm', ...keys };
  await using project = openProject({
    'wrap.sh': script,
    'bin/codex': script,
    'assay.config.json': { [word]: { own: word === 'runners' ? { agent: codex } : codex } },
    'a.suite.ts': SUITE,
  });
  const ended = await project.assay('run');
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  const [asked = '', started = ''] = project.read(keys.command.replace(/[^/]*$/, 'starts')).split('\n');
  expect(asked).toBe([...first.slice(0, -1), '--version'].join(' '));
  expect(started.split(' ').slice(0, first.length)).toEqual(first);
});
