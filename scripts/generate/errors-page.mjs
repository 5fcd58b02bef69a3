import { readFileSync, readdirSync } from 'node:fs';
import { inRoot } from '../lib/paths.mjs';
import { title } from './program.mjs';

const LITERAL = /'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/.source;
const CODE = /'([a-z][a-z-]*)'/.source;

/** The codes that errors carry, as they stand in the source, each with the message it comes with. */
export function errorsPage() {
  const sources = sourceFiles('src');
  const authoring = sources.filter(({ name }) => /^src\/(authoring|app|targets)\//.test(name));
  return [
    title('Error codes', 'from the source'),
    'What went wrong with a trial is explained in [Reading results](../guide/results.md#errored).\n',
    '## Problems of eval files and configs\n',
    'Printed as `file:line:column  code  message`, all at once; nothing runs, exit code 2.\n',
    table(
      authoring.flatMap((source) => [
        ...found(source, new RegExp(`\\bfault\\(\\s*${CODE},\\s*(${LITERAL})?`, 'g')),
        ...found(source, new RegExp(`\\bcode: ${CODE},\\s*message(?:: (${LITERAL}))?`, 'g')),
      ]),
    ),
    '## Errors of commands\n',
    table(
      sources.flatMap((source) =>
        found(source, new RegExp(`new AssayError\\(\\s*${CODE},\\s*(${LITERAL})?`, 'g')),
      ),
    ),
  ].join('\n');
}

function found({ text }, pattern) {
  return [...text.matchAll(pattern)].map(([, code, message]) => ({ code, message: readable(message) }));
}

function readable(literal) {
  return literal
    ?.slice(1, -1)
    .replaceAll(/\\?`/g, '')
    .replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '…')
    .replaceAll(/\\(.)/g, '$1');
}

function table(entries) {
  const codes = [...new Set(entries.map(({ code }) => code))].filter((code) => code !== 'custom').toSorted();
  const rows = codes.map((code) => {
    const messages = entries.filter((entry) => entry.code === code).map(({ message }) => message);
    const shown = [...new Set(messages.filter((message) => message !== undefined))].toSorted();
    const text = shown.length === 0 ? (MEANINGS[code] ?? '') : shown.join('<br>');
    return `| \`${code}\` | ${text.replaceAll('|', '\\|')} |`;
  });
  return `| code | says, for example |\n| --- | --- |\n${rows.join('\n')}\n`;
}

function sourceFiles(folder) {
  return readdirSync(inRoot(folder), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .toSorted()
    .map((name) => ({
      name: `${folder}/${name.replaceAll('\\', '/')}`,
      text: readFileSync(inRoot(folder, name), 'utf8'),
    }));
}

/** Of codes whose message is put together elsewhere. */
const MEANINGS = {
  'alias-bomb': 'aliases of the file stand for far more than it holds',
  'config-ambiguous': 'two configs stand in one folder',
  'config-both-spellings': 'one thing is said in two spellings, such as `targets` and `runners`',
  'config-load-failed': 'the module of the config throws',
  'config-syntax': 'the config is no JSON or YAML',
  'config-unreadable': 'the config cannot be read',
  'csv-syntax': 'the file is no CSV',
  'dependency-cycle': 'tests wait for each other by `depends_on`',
  'duplicate-id': 'two tests of a suite have the same id',
  'environment-syntax': '`${{` is not followed by a name and `}}`',
  'json-syntax': 'a line of a `.jsonl` is no JSON, or a file no JSON Schema',
  'no-default-target': 'there are several targets, and neither suite nor config says which',
  'unknown-id': '`depends_on` names no test of the suite',
  usage: 'a command was called with something that it does not take',
};
