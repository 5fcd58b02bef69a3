import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { runProcess } from '../../lib/process/run-process.ts';
import { cli } from './cli.ts';
import { filledCommand, PLACEHOLDERS } from './command-template.ts';
import { misplacedPlaceholders } from './placeholder-places.ts';

/** The problem of a command, without the advice. */
function told(command: string | readonly string[]): readonly (readonly [number | undefined, string])[] {
  return misplacedPlaceholders(command).map(({ argument, message }) => [
    argument,
    message.split(', where')[0] ?? '',
  ]);
}

test.each([
  [`printf %s "{PROMPT}"`, 'double quotes'],
  [`printf %s '{PROMPT}'`, 'single quotes'],
  [`printf %s "a $HOME \\" {PROMPT}"`, 'double quotes'],
  [`printf %s $'it\\'s {PROMPT}'`, 'a text with `$`'],
  [`printf %s \\{PROMPT}`, 'a text with a backslash escape'],
  ['printf %s `echo {PROMPT}`', 'a text with backticks'],
  ['printf %s $(echo {PROMPT})', 'a text with `$(...)`'],
  ['printf %s ${X:-{PROMPT}}', 'a text with `${...}`'],
  ['echo $(( {PROMPT} ))', 'a text with arithmetic'],
  ['(( {PROMPT} ))', 'a text with arithmetic'],
  ['echo $[ {PROMPT} ]', 'a text with arithmetic'],
  ['cat <<EOF\n{PROMPT}\nEOF', 'a text with a here-document'],
  ["cat <<-'E F' | sort\n\tx\n\t{PROMPT}\n\tE F", 'a text with a here-document'],
  ['true # {PROMPT}\ntrue', 'a comment'],
  [`sh -c 'printf %s {PROMPT}'`, 'an argument that `sh` runs as code'],
  [`env A=1 sh -c "printf %s {PROMPT}"`, 'an argument that `sh` runs as code'],
  ['sh -c {PROMPT}', 'an argument that `sh` runs as code'],
  ['timeout 10 bash -lc {PROMPT}', 'an argument that `bash` runs as code'],
  ['eval printf {PROMPT}', 'an argument that `eval` runs as code'],
  ['X=1 && { eval {PROMPT}; }', 'a text with `{`'],
  ['python3 -c {PROMPT}', 'an argument that `python3` runs as code'],
  ['ssh host agent {PROMPT}', 'an argument that `ssh` runs as code'],
  [`sh -c 'agent --ask '{PROMPT}`, 'an argument that `sh` runs as code'],
  ['sh -c ""{PROMPT}', 'an argument that `sh` runs as code'],
  ['"$SHELL" -c {PROMPT}', 'an argument that `sh` runs as code'],
  ['${SHELL:-/bin/sh} -c {PROMPT}', 'a text with `${...}`'],
  ["'eval' {PROMPT}", 'an argument that `eval` runs as code'],
  ['[[ 1 -eq {PROMPT} ]]', 'an argument that `[[` runs as code'],
  ['[ -v {PROMPT} ]', 'an argument that `[` runs as code'],
  ['test -v {PROMPT}', 'an argument that `test` runs as code'],
  ['let {PROMPT}', 'an argument that `let` runs as code'],
  ['declare -i x={PROMPT}', 'an argument that `declare` runs as code'],
  ['printf -v {PROMPT} x', 'an argument that `printf -v` runs as code'],
  ['. {PROMPT}', 'an argument that `.` runs as code'],
  ['source {PROMPT_FILE}', 'an argument that `source` runs as code'],
  ['command eval {PROMPT}', 'an argument that `command` runs as code'],
  ['"$AGENT" {PROMPT}', 'an argument that `$AGENT` runs as code'],
  ['ev\\\nal {PROMPT}', 'an argument that `eval` runs as code'],
  ['echo {PROMPT} | sh', 'what `sh` reads and runs'],
  ['echo {PROMPT} | tee x | bash -o pipefail', 'what `bash` reads and runs'],
  ['echo {PROMPT} | xargs -n1 agent', 'what `xargs` reads and runs'],
  ['echo {PROMPT} | while read line; do x; done', 'what `while` reads and runs'],
  ['sh < {PROMPT_FILE}', 'what `sh` reads and runs'],
  ['sh <<< {PROMPT}', 'a text with `<<<`'],
  ['f() { eval "$1"; }; f {PROMPT}', 'a text with `(`'],
  ['BASH_ENV={PROMPT} bash agent.sh', 'an assignment'],
  ['PS4={PROMPT} sh -x agent.sh', 'an assignment'],
  ['env NODE_OPTIONS={PROMPT} node agent.mjs', 'an assignment'],
  ['{PROMPT} --help', 'the name of a program'],
  ['agent > {TEST_ID}', 'the name of a file'],
  [`printf %s '$'"{PROMPT}"`, 'double quotes'],
  [`sh -c '$'{PROMPT}`, 'an argument that `sh` runs as code'],
  ["true >&1#' \n agent {PROMPT} #'", 'a text with `>`'],
  ['cat <\\\n<EOF\nx {PROMPT}\nEOF', 'a text with a backslash escape'],
  ['echo {PROMPT} |\\\n& sh', 'a text with a backslash escape'],
  ['sh -c 12>&1 {PROMPT}', 'a text with `>`'],
  ['sh -c {ATTEMPT}>out {PROMPT}', 'a text with `>`'],
  ['[[ $HOME && 1 -eq {PROMPT} ]]', 'a text with `[[` of several commands'],
  ['alias run=eval\nrun {PROMPT}', 'a text with `alias`'],
  ['hash -p /bin/sh agent; agent -c {PROMPT}', 'a text with `hash`'],
  ['sh $EMPTY -c {PROMPT}', 'an argument that `sh` runs as code'],
  ['bash -oc errexit {PROMPT}', 'an argument that `bash` runs as code'],
  ['env -S "sh -c" {PROMPT}', 'an argument that `env` runs as code'],
  ['echo {PROMPT} > x.sh; sh x.sh', 'what `sh` reads and runs'],
  ['echo {PROMPT} > x && . ./x', 'what `.` reads and runs'],
  ['sh {PROMPT_FILE}', 'an argument that `sh` runs as code'],
  ['python3 -u {PROMPT_FILE} x', 'an argument that `python3` runs as code'],
  ['make ask QUESTION={PROMPT}', 'an argument that `make` runs as code'],
  ['make {PROMPT}', 'an argument that `make` runs as code'],
  ['tmux new -d {PROMPT}', 'an argument that `tmux` runs as code'],
  ['echo {PROMPT} | sh -e -s x', 'what `sh` reads and runs'],
  ['echo {PROMPT} | bash -se x', 'what `bash` reads and runs'],
  ['echo {PROMPT} | sh /dev/stdin', 'what `sh` reads and runs'],
  ['sh 3< {PROMPT_FILE} /dev/fd/3', 'what `sh` reads and runs'],
  ['echo {PROMPT} | python3 - x', 'what `python3` reads and runs'],
  ['agent a[{PROMPT}]', 'a word with quotes or patterns'],
  [
    'echo "$(case x in x) echo "{PROMPT}" ;; esac)"',
    'a text with double quotes that hold more than text and variables',
  ],
])('a placeholder in the shell text %j is in %s', (command, where) => {
  expect(told(command).map(([, text]) => text.replace(/^\{[A-Z_]+\}/, '{PROMPT}'))).toEqual([
    `{PROMPT} is in ${where}`,
  ]);
});

test.each([
  [['sh', '-c', 'printf %s {PROMPT}'], 2, 'sh'],
  [['/bin/bash', '-lc', 'printf %s "{PROMPT}"'], 2, 'bash'],
  [['env', 'A=1', 'sh', '-c', 'x {PROMPT}'], 4, 'sh'],
  [['env', '-S', 'sh -c {PROMPT}'], 2, 'env'],
  [['docker', 'exec', 'c', 'sh', '-c', 'x {PROMPT}'], 5, 'sh'],
  [['dash', '-e', '-c', 'x {PROMPT}', 'dash'], 3, 'dash'],
  [['node', '-r', './x.js', '-e', 'say("{PROMPT}")'], 4, 'node'],
  [['node', '--eval=say("{PROMPT}")'], 1, 'node'],
  [['su', 'agent', '-c', 'x {PROMPT}'], 3, 'su'],
  [['ssh', 'host', './agent', '{PROMPT}'], 3, 'ssh'],
  [['ruby', '-e{PROMPT}'], 1, 'ruby'],
  [['sed', '-n', 's/QUESTION/{PROMPT}/p', 'template.txt'], 2, 'sed'],
  [['awk', '-v', 'a=1', 'BEGIN { print "{PROMPT}" }'], 3, 'awk'],
  [['sh', '{FILES}', '-c', '{PROMPT}'], 3, 'sh'],
  [['make', 'ask', 'QUESTION={PROMPT}'], 2, 'make'],
  [['su', '-cagent {PROMPT}'], 1, 'su'],
  [['fish', '--command=agent {PROMPT}'], 1, 'fish'],
  [['tcsh', '-c', 'agent {PROMPT}'], 2, 'tcsh'],
  [['bash.exe', '-c', 'agent {PROMPT}'], 2, 'bash'],
  [['deno', 'eval', '--ext=ts', '{PROMPT}'], 3, 'deno'],
  [['npm', 'exec', '-c', 'agent {PROMPT}'], 3, 'npm'],
  [['node', '--input-type', 'module', '-e', '{PROMPT}'], 4, 'node'],
  [['docker', 'run', '--rm', '--entrypoint', 'sh', 'image', '-c', 'agent {PROMPT}'], 7, 'sh'],
  [['docker', 'run', '--entrypoint=/bin/bash', 'image', '-lc', 'agent {PROMPT}'], 5, 'bash'],
  [['python3', '{PROMPT}'], 1, 'python3'],
  [['node', '--no-warnings', '{PROMPT}'], 2, 'node'],
  [['timeout', '5', 'bash', '{PROMPT}'], 3, 'bash'],
  [['luajit', '-e', '{PROMPT}'], 2, 'luajit'],
  [['git', '-c', 'alias.x={PROMPT}', 'x'], 2, 'git'],
])('in the list %j argument %i is read by %s', (command, argument, reader) => {
  expect(told(command)).toEqual([[argument, `{PROMPT} is in an argument that \`${reader}\` runs as code`]]);
});

test.each([
  ['agent {PROMPT}'],
  ['X=1 agent --in={PROMPT_FILE} < {PROMPT_FILE} > {OUTPUT_FILE} 2>&1'],
  ['cd {WORKSPACE} && agent \\\n  --to *.md {PROMPT} | tail -1 # the answer'],
  ['agent eval {PROMPT}'],
  ['make -C {WORKSPACE} ask && agent {PROMPT} 2>&1|\\\n tail -1'],
  ['cd x &&\\\nagent {PROMPT} >&2; echo {PROMPT} | env - agent'],
  ['node $FLAGS "$DIR/agent.mjs" -p {PROMPT} 2>&1'],
  ['node agent.mjs {PROMPT} | python3 last.py'],
  ['bash ./agent.sh {PROMPT}'],
  [`echo "it's" && agent "$HOME" {PROMPT}`],
  [`cat <<EOF > x\nhello\nEOF\nagent "$ASSAY_PROMPT" {ATTEMPT}`],
  ['agent a#{TEST_ID} ${PROMPT}'],
  [`sh -c 'agent "$1"' sh {PROMPT}`],
  [`agent '{ATTEMPT}' "$(echo {ATTEMPT})"`],
  [['sh', '-c', 'agent "$1" "$ASSAY_PROMPT" {ATTEMPT}', 'sh', '{PROMPT}']],
  [['agent', '--text="{PROMPT}"', "'{PROMPT}'"]],
  [['node', '--no-warnings', 'agent.mjs', '-p', '{PROMPT}']],
  [['python3', '-u', 'agent.py', '-c', '{PROMPT}']],
  [['claude', '-p', '{PROMPT}']],
  ['agent {PROMPT} > x.txt && cat x.txt | agent.py'],
  [['python3', '{WORKSPACE}/agent.py', '{PROMPT}']],
  ['sh {WORKSPACE}/agent.sh {PROMPT_FILE}'],
  [['git', '-C', '{WORKSPACE}', 'grep', '{PROMPT}']],
  [['npx', '-y', 'agent', '-c', '{PROMPT}']],
  [['npm', 'run', 'agent', '--', '-c', '{PROMPT}']],
  [['docker', 'run', '--entrypoint', 'agent', 'image', '-c', '{PROMPT}']],
  [['sed', '-e', 's/a/b/', '{PROMPT_FILE}']],
  [['awk', '-v', 'a={PROMPT}', '{ print a }', '{PROMPT_FILE}']],
  [['fish', 'agent.fish', '-c', '{PROMPT}']],
])('%j is fine', (command) => {
  expect(told(command)).toEqual([]);
});

test('in a list, a value is not assigned to a variable of the program', () => {
  expect(told(['env', '-i', 'BASH_ENV={PROMPT}', 'bash', 'agent.sh', 'a={PROMPT}'])).toEqual([
    [2, '{PROMPT} is in an assignment'],
  ]);
});

test('a misplaced placeholder is reported at its place, with the right spelling', () => {
  const issues = (command: unknown) => cli.config.safeParse({ command }).error?.issues;
  expect(issues('printf %s "{PROMPT}"')).toMatchObject([
    {
      path: ['command'],
      message:
        '{PROMPT} is in double quotes, where its value could be run as a command; move it out of the quotes (assay quotes the value), or write `"$ASSAY_PROMPT"` in double quotes instead, or remove it and read the prompt from stdin',
    },
  ]);
  expect(issues(['sh', '-c', 'x "{TEST_ID}"'])).toMatchObject([
    {
      path: ['command', 2],
      message:
        '{TEST_ID} is in an argument that `sh` runs as code, where its value could be run as a command; write `"$ASSAY_CASE_ID"` in it, or pass it as an argument, such as `sh -c \'agent "$1"\' sh {TEST_ID}`',
    },
  ]);
});

test('no way is named in which another shell would run the value', () => {
  const ways = (command: string | readonly string[]) =>
    misplacedPlaceholders(command).map(({ message }) => message.split('as a command; ')[1]);
  const asArgument = `pass it as an argument, such as \`sh -c 'agent "$1"' sh {PROMPT}\``;
  const stdin = 'remove it and read the prompt from stdin';
  expect(ways('sh -c "agent {PROMPT}"')).toEqual([`${asArgument}, or ${stdin}`]);
  expect(ways(['sh', '-c', 'agent {PROMPT}'])).toEqual([
    `write \`"$ASSAY_PROMPT"\` in it, or ${asArgument}, or ${stdin}`,
  ]);
  expect(ways(['ssh', 'host', 'agent', '{PROMPT}'])).toEqual([stdin]);
  expect(ways(['node', '-e', 'say("{PROMPT}")'])).toEqual([
    `read the variable ASSAY_PROMPT in it, or pass it as a separate argument, or ${stdin}`,
  ]);
  expect(ways('echo $(agent {PROMPT})')).toEqual([
    `use it in a simple command, without quotes (assay quotes the value), or write \`"$ASSAY_PROMPT"\` there, or ${stdin}`,
  ]);
});

test('a healthcheck has no placeholders', () => {
  const parsed = cli.config.safeParse({ command: 'x', healthcheck: { command: ['ping', '{PROMPT}'] } });
  expect(parsed.error?.issues).toMatchObject([
    {
      path: ['healthcheck', 'command'],
      message: '{PROMPT} is not available in a healthcheck, which runs once before the first trial',
    },
  ]);
});

test('in no text that is allowed does a shell run a part of the value', async () => {
  const piece = fc.constantFrom(
    '"',
    "'",
    '\\',
    '$(',
    ')',
    '`',
    '${X:-',
    '}',
    '#',
    ' ',
    '\n',
    '<<E',
    'E',
    ';',
    '|',
    '&',
    'x',
    "$'",
  );
  const value = `a'b"c $(echo run >&2) \`echo run >&2\`\n; echo run >&2; #`;
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 6 }),
      fc.array(piece, { maxLength: 4 }),
      async (before, after) => {
        const text = `: ${before.join('')} {PROMPT} ${after.join('')}`;
        if (misplacedPlaceholders(text).length > 0) return;
        const command = filledCommand(text, { PROMPT: value });
        const place = { cwd: '/tmp', env: { PATH: '/nowhere' }, timeoutMs: 20_000 };
        const ran = await runProcess({ command, ...place }, new AbortController().signal);
        expect(new TextDecoder().decode(ran.stderr)).not.toMatch(/^run$/m);
      },
    ),
    { numRuns: 150 },
  );
});

test('in no plain command that is allowed does bash run a part of the value', async () => {
  const words =
    '[[ 1 -eq ]] [ -v ] test ! let declare -i x= echo printf %s eval command builtin . source exec env A=1 BASH_ENV= PS4= ' +
    'sh bash -c -x -s -o pipefail xargs | && ; (( )) $(( <<< < { } if then fi while do done f() \' " $X ${X}';
  const word = fc.constantFrom(...words.split(' '));
  const value = 'a[$(echo run >&2)]\necho run >&2';
  await fc.assert(
    fc.asyncProperty(
      fc.array(word, { maxLength: 5 }),
      fc.constantFrom('{PROMPT}', '"{PROMPT}"', 'BASH_ENV={PROMPT}', '-i={PROMPT}'),
      fc.array(word, { maxLength: 3 }),
      async (before, prompt, after) => {
        const text = [...before, prompt, ...after].join(' ');
        if (misplacedPlaceholders(text).length > 0) return;
        const filled = filledCommand(text, { PROMPT: value }) as { readonly shell: string };
        const place = { cwd: '/tmp', env: { PATH: '/usr/bin:/bin' }, timeoutMs: 20_000 };
        const command = ['bash', '-c', filled.shell];
        const ran = await runProcess({ command, ...place }, new AbortController().signal);
        expect(new TextDecoder().decode(ran.stderr)).not.toMatch(/^run$/m);
      },
    ),
    { numRuns: 400 },
  );
});

test('only the number of the attempt is allowed where a value would be run as code', () => {
  const refused = PLACEHOLDERS.filter((name) => told(`eval {${name}}`).length > 0);
  expect(refused).toEqual(PLACEHOLDERS.filter((name) => name !== 'ATTEMPT'));
});
