import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTAINS, questionOf } from '../floors/cases.mjs';
import { claudeLines } from './claude-stream.mjs';

/** Writes a program that imitates Claude Code: it runs one shell line and prints an answer. */
export function writeAgent(file, work) {
  const lines = claudeLines(`Order ORD-1042 was ${CONTAINS}.`).join('\n');
  const text = `#!/bin/sh
if [ "$1" = --version ]; then echo '2.1.330 (Claude Code)'; exit; fi
${work}
cat <<'END'
${lines}
END
`;
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

/** Writes a code suite of `cases` cases with isolated workspaces, as `cases-<n>.suite.mjs`. */
export function writeAgentSuite(project, cases, workspace = {}) {
  const prompts = Array.from({ length: cases }, (_, index) => questionOf(index + 1));
  const text = `import { assert } from 'assay';
export const workspace = ${JSON.stringify({ mode: 'isolated', ...workspace })};
export default ${JSON.stringify(prompts)}.map((prompt, index) => ({
  id: 'case-' + index,
  prompt,
  assert: (report) => assert.output.includes(report, ${JSON.stringify(CONTAINS)}),
}));
`;
  writeFileSync(join(project, `cases-${cases}.suite.mjs`), text);
}
