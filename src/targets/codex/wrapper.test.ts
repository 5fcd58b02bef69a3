import { expect, test } from 'vitest';

import { unwrapped } from './wrapper.ts';

test.each([
  ["/bin/bash -lc 'cat SKILL.md'", 'cat SKILL.md'],
  ['/bin/bash -lc ls', 'ls'],
  ["zsh -lc 'cd a && cat b'", 'cd a && cat b'],
  ["bash -c 'ls'", 'ls'],
  ['/bin/bash -lc "cat > a <<\'EOF\'\nhi\nEOF"', "cat > a <<'EOF'\nhi\nEOF"],
  ['/bin/bash -lc "echo \\"\\$HOME\\" \\`x\\` \\\\ \\n"', 'echo "$HOME" `x` \\ \\n'],
  [`/bin/sh -lc 'echo '"'"'a b'"'"`, "echo 'a b'"],
  ["bash -lc 'bash -lc ls'", 'bash -lc ls'],
])('%s runs %s', (command, script) => {
  expect(unwrapped(command)).toBe(script);
});

test.each([
  'cat SKILL.md',
  "/bin/bash -lc 'one' two",
  "/bin/bash -lc 'open",
  '/bin/bash -lc "$X"',
  "/bin/bash -lc 'a' | cat",
  "/usr/bin/python -c 'print(1)'",
  'bash script.sh',
])('%s is a command of the agent', (command) => {
  expect(unwrapped(command)).toBe(command);
});
