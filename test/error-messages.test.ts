import { readFileSync } from 'node:fs';

import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';

import { ACCESS_CODES } from '../src/core/error-codes/access-codes.ts';
import { API_CODES } from '../src/core/error-codes/api-codes.ts';
import { COMMAND_CODES } from '../src/core/error-codes/command-codes.ts';
import { CONFIG_CODES } from '../src/core/error-codes/config-codes.ts';
import { DATABASE_CODES } from '../src/core/error-codes/database-codes.ts';
import { ERROR_DETAILS } from '../src/core/error-codes/error-details.ts';
import { ERROR_KINDS } from '../src/core/error-codes/error-kinds.ts';
import type { ExplainedCode } from '../src/core/error-codes/explained-code.ts';
import { SANDBOX_CODES } from '../src/core/error-codes/sandbox-codes.ts';
import { SUITE_CODES } from '../src/core/error-codes/suite-codes.ts';

const ROOT = new URL('../', import.meta.url);

const page = readFileSync(new URL('../docs/reference/errors.md', import.meta.url), 'utf8');
const [codes = '', messages = ''] = page.split('## All messages');

test('every message on the page of errors has a declared code, a text and what to do', () => {
  const declared = new Set(rowsOf(codes).map(([code]) => code));
  const faulty = rowsOf(messages).filter(
    ([code = '', text = '', whatToDo = '']) =>
      !declared.has(code) || !/[a-z]{2,}[^{]* [a-z{"]/i.test(text) || whatToDo.length < 5,
  );
  expect(faulty).toEqual([]);
});

test('every declared code has a message on the page of errors', () => {
  const withMessage = new Set(rowsOf(messages).map(([code]) => code));
  const without = rowsOf(codes).flatMap(([code = '']) => (withMessage.has(code) ? [] : [code]));
  expect(without, 'a code without a message: declare its text as `says` in its table').toEqual([]);
});

test('the texts of declared messages stand in the source', () => {
  const source = globSync('src/**/*.ts', { cwd: ROOT, ignore: ['src/core/error-codes/**', '**/*.test.ts'] })
    .map((file) => readFileSync(new URL(file, ROOT), 'utf8'))
    .join('\n');
  const declared = [
    SUITE_CODES,
    SANDBOX_CODES,
    CONFIG_CODES,
    COMMAND_CODES,
    DATABASE_CODES,
    ACCESS_CODES,
    API_CODES,
    ERROR_KINDS,
    ERROR_DETAILS,
  ]
    .flatMap((table) => Object.values<ExplainedCode>(table))
    .flatMap(({ says = [] }) => says)
    .map((said) => (typeof said === 'string' ? said : said.text));
  const fragments = declared
    .flatMap((text) => text.split(/\$?\{[^}]*\}|\d+|[:;,`$]/))
    .map((text) => text.trim());
  const words = fragments.filter((text) => /[a-z]{2,}.* [a-z]{2,}/.test(text) && text !== 'problems found');
  expect(words.length).toBeGreaterThan(15);
  expect(words.filter((text) => !source.includes(text))).toEqual([]);
});

test.each([
  ['`port-in-use`', 'port {port} is in use', 'choose another --port, or 0 for any free port'],
  ['`workspace-bootstrap`', 'bootstrap{key}: expected {expected}, got {value}', 'Write `{ command, args }`.'],
  [
    '`workspace-template`',
    'files in {directory} differ from the template: {named}{more}',
    'Nothing was copied. Remove these files, or use mode "isolated".',
  ],
])('a message of %s has the advice of its own table', (code, text, whatToDo) => {
  expect(rowsOf(messages)).toContainEqual([code, text, whatToDo]);
});

test.each([
  ['of an error class', '`unknown-reporter`', 'unknown reporter "{type}"'],
  ['of an object', '`base-url-missing`', 'no base URL configured for {model}'],
  ['of a function that gets only the text', '`usage`', 'assay compare needs two runs'],
  ['of a request', '`unknown-route`', 'unknown route {pathname}'],
])('the page of errors has the message %s', (_, code, text) => {
  expect(rowsOf(messages).map(([first, second]) => `${first} ${second}`)).toContain(`${code} ${text}`);
});

/** The cells of all rows of tables, without their heads. */
function rowsOf(markdown: string): readonly (readonly string[])[] {
  const lines = markdown.split('\n').filter((line) => line.startsWith('| `'));
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  );
}
