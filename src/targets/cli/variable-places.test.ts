import { expect, test } from 'vitest';

import { runProcess } from '../../lib/process/run-process.ts';
import { cli } from './cli.ts';
import { filledCommand } from './command-template.ts';
import { misplacedVariables } from './variable-places.ts';

type Written = string | readonly string[];

const places = (command: Written) =>
  misplacedVariables(command).map(({ message }) => message.split(', where')[0]);

const RUN: readonly (readonly [Written, string])[] = [
  ['sh -c "echo $ASSAY_PROMPT"', '$ASSAY_PROMPT is in an argument that `sh` runs as code'],
  ['bash -c "echo \\"$ASSAY_PROMPT\\""', '$ASSAY_PROMPT is in an argument that `bash` runs as code'],
  ['sh -c "$ASSAY_PROMPT"', '$ASSAY_PROMPT is in an argument that `sh` runs as code'],
  ['eval "echo $ASSAY_PROMPT"', '$ASSAY_PROMPT is in an argument that `eval` runs as code'],
  ['command eval "echo ${ASSAY_PROMPT}"', '$ASSAY_PROMPT is in an argument that `eval` runs as code'],
  ['echo $ASSAY_PROMPT | sh', '$ASSAY_PROMPT is in what `sh` reads and runs'],
  ['printf %s "$ASSAY_PROMPT" | tee x | bash', '$ASSAY_PROMPT is in what `bash` reads and runs'],
  ['echo "$ASSAY_PROMPT" > /tmp/x.sh; sh /tmp/x.sh', '$ASSAY_PROMPT is in what `sh` reads and runs'],
  ['eval "echo $ASSAY_CASE_ID"', '$ASSAY_CASE_ID is in an argument that `eval` runs as code'],
  ['$ASSAY_PROMPT', '$ASSAY_PROMPT is in the name of a program'],
  ['[ -v "$ASSAY_PROMPT" ]', '$ASSAY_PROMPT is in an argument that `[` runs as code'],
  [`sh -c 'eval "$ASSAY_PROMPT"'`, '$ASSAY_PROMPT is in an argument that `eval` runs as code'],
  [`sh -c 'eval "$1"' sh {PROMPT}`, '$1 is in an argument that `eval` runs as code'],
  [`sh -c 'eval "$1"' sh "$ASSAY_PROMPT"`, '$1 is in an argument that `eval` runs as code'],
  [['sh', '-c', 'eval "$@"', 'sh', '{PROMPT}'], '$@ is in an argument that `eval` runs as code'],
  [['sh', '-c', 'echo "$ASSAY_PROMPT" | sh'], '$ASSAY_PROMPT is in what `sh` reads and runs'],
  [
    'for i in 1 2; do eval "echo $ASSAY_PROMPT"; done',
    '$ASSAY_PROMPT is in an argument that `eval` runs as code',
  ],
  ['x=$(sh -c "echo $ASSAY_PROMPT")', '$ASSAY_PROMPT is in an argument that `sh` runs as code'],
  ['sh <<E\necho $ASSAY_PROMPT\nE', '$ASSAY_PROMPT is in what `sh` reads and runs'],
  ['x=$(echo "$ASSAY_PROMPT" | sh)', '$ASSAY_PROMPT is in what `sh` reads and runs'],
];

test.each(RUN)('the shell would run the value in %j', (command, place) => {
  expect(places(command)).toEqual([place]);
});

/** It really would: this is no list of what looks dangerous. */
test.each(RUN.filter(([command]) => !command.includes('[ -v') && !command.includes('x.sh')))(
  '%j does run a prompt that is a command',
  async (command) => {
    const value = command === '$ASSAY_PROMPT' ? 'pwned' : '$(pwned)';
    const env = { PATH: '/usr/bin:/bin', ASSAY_PROMPT: value, ASSAY_CASE_ID: value };
    const spec = { command: filledCommand(command, { PROMPT: value }), cwd: '/', env };
    const { stderr } = await runProcess(spec, new AbortController().signal);
    expect(Buffer.from(stderr).toString()).toMatch(/pwned/);
  },
);

test.each<[Written]>([
  ['agent "$ASSAY_PROMPT"'],
  ['printf %s "$ASSAY_PROMPT"; cat'],
  [`sh -c 'printf %s "$ASSAY_PROMPT"; cat'`],
  [`sh -c 'agent "$1"' sh {PROMPT}`],
  [`sh -c 'agent "$1"' sh "$ASSAY_PROMPT"`],
  [['sh', '-c', 'agent "$1" "$ASSAY_PROMPT" {ATTEMPT}', 'sh', '{PROMPT}']],
  ['if [ -n "$ASSAY_PROMPT" ]; then agent "$ASSAY_PROMPT"; fi'],
  ['echo "$(agent "$ASSAY_PROMPT")" | tail -1'],
  ['cat <<EOF | agent\n$ASSAY_PROMPT\nEOF'],
  ['export QUESTION="$ASSAY_PROMPT" && exec agent "$QUESTION"'],
  ['for i in 1 2; do agent "$ASSAY_PROMPT"; done | sort'],
  [`agent '$ASSAY_PROMPT is no variable here' | sh`],
  [['node', '-e', 'console.log(process.env.ASSAY_PROMPT)']],
  ['sh -c "agent $1" sh x'],
  ['echo "$ASSAY_CASE_ID" >> asked.txt'],
])('%j is fine', (command) => {
  expect(places(command)).toEqual([]);
});

test('the config is refused, with a way to write it', () => {
  const { error } = cli.config.safeParse({ command: ['sh', '-c', 'eval "$ASSAY_PROMPT"'] });
  expect(error?.issues).toMatchObject([
    {
      path: ['command', 2],
      message:
        '$ASSAY_PROMPT is in an argument that `eval` runs as code, where its value could be run as a command; pass it to the program as an argument, such as `agent "$ASSAY_PROMPT"`, or read the prompt from stdin',
    },
  ]);
});
