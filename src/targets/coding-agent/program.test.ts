import { expect, test } from 'vitest';

import { versionIn } from './program.ts';

const printed = (stdout: string, stderr = '') => ({
  stdout: Buffer.from(stdout),
  stderr: Buffer.from(stderr),
});

test.each([
  ['2.1.330 (Claude Code)\n', '', '2.1.330'],
  ['codex-cli 0.169.0-alpha.2\n', '', '0.169.0-alpha.2'],
  ['GitHub Copilot CLI 1.0.102.\n', '', '1.0.102'],
  ['', '0.73.1\n', '0.73.1'],
  ['1.2.3\n', 'needs Node 22.0.0\n', '1.2.3'],
  ['an unknown option\n', '', undefined],
])('the version in %j and %j on stderr is %s', (stdout, stderr, version) => {
  expect(versionIn(printed(stdout, stderr))).toBe(version);
});
