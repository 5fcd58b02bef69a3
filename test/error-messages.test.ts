import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

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
