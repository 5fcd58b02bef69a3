import { expect, test } from 'vitest';

import { ACCESS_CODES } from './error-codes/access-codes.ts';
import { API_CODES } from './error-codes/api-codes.ts';
import { COMMAND_CODES } from './error-codes/command-codes.ts';
import { CONFIG_CODES } from './error-codes/config-codes.ts';
import { DATABASE_CODES } from './error-codes/database-codes.ts';
import { ERROR_DETAILS } from './error-codes/error-details.ts';
import { ERROR_KINDS } from './error-codes/error-kinds.ts';
import { SANDBOX_CODES } from './error-codes/sandbox-codes.ts';
import { SUITE_CODES } from './error-codes/suite-codes.ts';
import type { ExplainedCode } from './error-codes/explained-code.ts';

const MOST_WORDS = 20;

const tables = {
  SUITE_CODES,
  SANDBOX_CODES,
  CONFIG_CODES,
  COMMAND_CODES,
  DATABASE_CODES,
  ACCESS_CODES,
  API_CODES,
  ERROR_KINDS,
  ERROR_DETAILS,
};
const explained: readonly [string, ExplainedCode][] = Object.values(tables).flatMap((table) =>
  Object.entries<ExplainedCode>(table),
);

test('codes are kebab-case, and those of a table are sorted', () => {
  const codes = Object.values(tables).map((table) => Object.keys(table));
  expect(codes.flat().filter((code) => !/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(code))).toEqual([]);
  expect(codes).toEqual(codes.map((each) => each.toSorted()));
});

test('every code says in short sentences what it means and what to do', () => {
  const wrong = explained.filter(([, { meaning, whatToDo }]) =>
    [meaning, whatToDo].some((text) => !/^[A-Z`].*\.$/.test(text) || sentencesOf(text).some(isLong)),
  );
  expect(wrong).toEqual([]);
});

function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=\.) (?=[A-Z`])/);
}

function isLong(sentence: string): boolean {
  return sentence.split(' ').length > MOST_WORDS;
}
