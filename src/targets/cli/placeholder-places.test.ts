import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { runProcess } from '../../lib/process/run-process.ts';
import { cli } from './cli.ts';
import { filledCommand } from './command-template.ts';
import { misplacedPlaceholders } from './placeholder-places.ts';

/** What is told of a command, by what it says before the way out. */
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
  [`printf %s $'it\\'s {PROMPT}'`, 'single quotes'],
  [`printf %s \\{PROMPT}`, 'a backslash escape'],
  ['printf %s `echo {PROMPT}`', 'backticks'],
  ['printf %s $(echo {PROMPT})', '`$(...)`'],
  ['printf %s ${X:-{PROMPT}}', '`${...}`'],
  ['echo $(( {PROMPT} ))', '`$(...)`'],
  ['(( {PROMPT} ))', 'arithmetic'],
  ['echo $[ {PROMPT} ]', 'arithmetic'],
  ['cat <<EOF\n{PROMPT}\nEOF', 'a here-document'],
  ["cat <<-'E F' | sort\n\tx\n\t{PROMPT}\n\tE F", 'a here-document'],
  ['true # {PROMPT}\ntrue', 'a comment'],
  [`sh -c 'printf %s {PROMPT}'`, 'an argument that `sh` runs as code'],
  [`env A=1 sh -c "printf %s {PROMPT}"`, 'an argument that `sh` runs as code'],
  ['sh -c {PROMPT}', 'an argument that `sh` runs as code'],
  ['timeout 10 bash -lc {PROMPT}', 'an argument that `bash` runs as code'],
  ['eval printf {PROMPT}', 'an argument that `eval` runs as code'],
  ['X=1 && { eval {PROMPT}; }', 'an argument that `eval` runs as code'],
  ['python3 -c {PROMPT}', 'an argument that `python3` runs as code'],
  ['ssh host agent {PROMPT}', 'an argument that `ssh` runs as code'],
  [`sh -c 'agent --ask '{PROMPT}`, 'an argument that `sh` runs as code'],
  ['sh -c ""{PROMPT}', 'an argument that `sh` runs as code'],
  ['"$SHELL" -c {PROMPT}', 'an argument that `sh` runs as code'],
  ['${SHELL:-/bin/sh} -c {PROMPT}', 'an argument that `sh` runs as code'],
  ["'eval' {PROMPT}", 'an argument that `eval` runs as code'],
  ['echo "$(case x in x) echo "{PROMPT}" ;; esac)"', 'double quotes'],
])('a placeholder in the shell text %j stands in %s', (command, where) => {
  expect(told(command)).toEqual([[undefined, `{PROMPT} stands in ${where}`]]);
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
  [['su', '-cagent {PROMPT}'], 1, 'su'],
  [['fish', '--command=agent {PROMPT}'], 1, 'fish'],
  [['tcsh', '-c', 'agent {PROMPT}'], 2, 'tcsh'],
  [['bash.exe', '-c', 'agent {PROMPT}'], 2, 'bash'],
  [['deno', 'eval', '--ext=ts', '{PROMPT}'], 3, 'deno'],
  [['npm', 'exec', '-c', 'agent {PROMPT}'], 3, 'npm'],
  [['node', '--input-type', 'module', '-e', '{PROMPT}'], 4, 'node'],
  [['docker', 'run', '--rm', '--entrypoint', 'sh', 'image', '-c', 'agent {PROMPT}'], 7, 'sh'],
  [['docker', 'run', '--entrypoint=/bin/bash', 'image', '-lc', 'agent {PROMPT}'], 5, 'bash'],
])('in the list %j argument %i is read by %s', (command, argument, reader) => {
  expect(told(command)).toEqual([
    [argument, `{PROMPT} stands in an argument that \`${reader}\` runs as code`],
  ]);
});

test.each([
  ['agent {PROMPT}'],
  ['X={PROMPT} agent --in={PROMPT_FILE} < {PROMPT_FILE} > {OUTPUT_FILE}'],
  [`echo "it's" && agent "$HOME" {PROMPT}`],
  ['cat <<EOF > x\nhello\nEOF\nagent {PROMPT}'],
  ['cat <<< x; agent {PROMPT}'],
  ['agent a#{TEST_ID} ${PROMPT}'],
  [`sh -c 'agent "$1"' sh {PROMPT}`],
  [`agent '{ATTEMPT}' "$(echo {ATTEMPT})"`],
  [['sh', '-c', 'agent "$1" "$ASSAY_PROMPT" {ATTEMPT}', 'sh', '{PROMPT}']],
  [['agent', '--text="{PROMPT}"', "'{PROMPT}'"]],
  [['node', '--no-warnings', 'agent.mjs', '-p', '{PROMPT}']],
  [['python3', '-u', 'agent.py', '-c', '{PROMPT}']],
  [['claude', '-p', '{PROMPT}']],
  [['npx', '-y', 'agent', '-c', '{PROMPT}']],
  [['npm', 'run', 'agent', '--', '-c', '{PROMPT}']],
  [['docker', 'run', '--entrypoint', 'agent', 'image', '-c', '{PROMPT}']],
  [['sed', '-e', 's/a/b/', '{PROMPT_FILE}']],
  [['awk', '-v', 'a={PROMPT}', '{ print a }', '{PROMPT_FILE}']],
  [['fish', 'agent.fish', '-c', '{PROMPT}']],
])('%j is fine', (command) => {
  expect(told(command)).toEqual([]);
});

test('the way to write it stands beside what is wrong, at its place', () => {
  const issues = (command: unknown) => cli.config.safeParse({ command }).error?.issues;
  expect(issues('printf %s "{PROMPT}"')).toMatchObject([
    {
      path: ['command'],
      message:
        '{PROMPT} stands in double quotes, where its value could be run as a command; take it out of the quotes (assay quotes the value), or write `"$ASSAY_PROMPT"` in double quotes instead, or leave it out and read the prompt from stdin',
    },
  ]);
  expect(issues(['sh', '-c', 'x "{TEST_ID}"'])).toMatchObject([
    {
      path: ['command', 2],
      message:
        '{TEST_ID} stands in an argument that `sh` runs as code, where its value could be run as a command; write `"$ASSAY_CASE_ID"` in it, or pass it as an argument, such as `sh -c \'agent "$1"\' sh {TEST_ID}`',
    },
  ]);
});

test('no way is named in which another shell would run the value', () => {
  const ways = (command: string | readonly string[]) =>
    misplacedPlaceholders(command).map(({ message }) => message.split('as a command; ')[1]);
  const asArgument = `pass it as an argument, such as \`sh -c 'agent "$1"' sh {PROMPT}\``;
  const stdin = 'leave it out and read the prompt from stdin';
  expect(ways('sh -c "agent {PROMPT}"')).toEqual([`${asArgument}, or ${stdin}`]);
  expect(ways(['sh', '-c', 'agent {PROMPT}'])).toEqual([
    `write \`"$ASSAY_PROMPT"\` in it, or ${asArgument}, or ${stdin}`,
  ]);
  expect(ways(['ssh', 'host', 'agent', '{PROMPT}'])).toEqual([stdin]);
  expect(ways(['node', '-e', 'say("{PROMPT}")'])).toEqual([
    `read the variable ASSAY_PROMPT in it, or pass it as an argument of its own, or ${stdin}`,
  ]);
  expect(ways('echo $(agent {PROMPT})')).toEqual([
    `write it outside, without quotes (assay quotes the value), or write \`"$ASSAY_PROMPT"\` there, or ${stdin}`,
  ]);
});

test('a healthcheck has no placeholders', () => {
  const parsed = cli.config.safeParse({ command: 'x', healthcheck: { command: ['ping', '{PROMPT}'] } });
  expect(parsed.error?.issues).toMatchObject([
    {
      path: ['healthcheck', 'command'],
      message: '{PROMPT} has no value here; a healthcheck runs once, before the first trial',
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
}, 60_000);
