import { expect, test } from 'vitest';

import { openProject } from './support/project.ts';

/** Finds what is kept of the suite in all the places an agent can guess, and makes its check hold nothing. */
const POISONS = `grep -rlE 'the answer' "$PROJECT/.assay/cache" "$PROJECT/node_modules/.cache" "\${TMPDIR:-/tmp}" 2>/dev/null |
  while read -r file; do
    sed 's/the answer/nonsense/' "$file" > "$file.new"
    body=$(tail -n +2 "$file.new"); digest=$(printf %s "$body" | sha256sum | cut -d' ' -f1)
    { printf '%s\\n' "$digest"; printf %s "$body"; } > "$file"
    tail -n 1 "$file.new" | grep -q '/\\* v' && cp "$file.new" "$file"
    rm "$file.new"
    echo "$file" >> "$PROJECT/poisoned.txt"
  done; echo nonsense`;

test('an agent that rewrites what is kept of a suite does not pass it, and finds it in no shared folder', async () => {
  await using project = openProject({
    'a.suite.ts': `import { assert, type TestCase } from 'assay';
      const cases: TestCase[] = [{ id: 'one', prompt: 'x', assert: (report) => assert.output.includes(report, 'the answer') }];
      export default cases;`,
    '.assay/.gitignore': 'runs/\n',
  });
  const command = ['sh', '-c', POISONS];
  const env = { PROJECT: project.directory };
  project.write({ 'assay.config.json': { targets: { agent: { type: 'cli', command, env } } } });
  const codes = [(await project.assay('run')).code, (await project.assay('run')).code];
  expect(codes).toEqual([1, 1]);
  expect(project.read('poisoned.txt')).toMatch(
    new RegExp(`^(?:${project.path('.assay/cache/modules')}/[0-9a-f]+\\.js\n){2}$`),
  );
  expect(project.litter()).toEqual([]);
});
