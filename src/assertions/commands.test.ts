import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { readingsOf } from '../lib/shell/readings.ts';
import { shellQuote } from '../lib/process/shell-quote.ts';
import { assert } from './assert.ts';
import { commandMatcher, type CommandMatcher } from './command-matcher.ts';
import { messageFrom, ran } from './report.fixture.ts';

const matches = (matcher: CommandMatcher, command: string): boolean =>
  messageFrom(() => assert.commands.includes(ran(command), matcher)) === undefined;

describe('a structured command matcher', () => {
  test.each<[string, CommandMatcher, string, boolean]>([
    ['a positional', commandMatcher('pnpm').arg('test'), 'pnpm --watch test', true],
    ['a flag', commandMatcher().flag('--watch').arg('test'), 'pnpm --watch test', true],
    ['a value', commandMatcher().option('--watch', 'test'), 'pnpm --watch test', true],
    ['both', commandMatcher().option('--watch', 'test').arg('test'), 'pnpm --watch test', false],
    ['strict without the option', commandMatcher().arg('test').strict(), 'pnpm --watch test', false],
    [
      'strict and whole',
      commandMatcher('pnpm').arg('test').flag('--watch').strict(),
      'pnpm --watch test',
      true,
    ],
    ['exact is strict', { positionals: ['test'], exact: true }, 'pnpm test more', false],
    ['a cluster', commandMatcher('tar').flag('-x').flag('-z').option('-f', 'a.tgz'), 'tar -xzf a.tgz', true],
    [
      'attached values',
      commandMatcher().option('-a', '1b').option('-x', '3').option('--no', ''),
      'cmd -a1b -x=3 --no=',
      true,
    ],
    [
      'end of options',
      commandMatcher().endOfOptions().args('-', '--', 'x', '').strict(),
      'cmd - -- -- x ""',
      true,
    ],
    ['no end of options', commandMatcher().endOfOptions(), 'cmd - x', false],
    [
      'options one to one',
      commandMatcher().option('--tag', /[ab]/).option('--tag', 'a'),
      'tool --tag a --tag b',
      true,
    ],
    [
      'more values than there are',
      commandMatcher().option('--tag', 'a').option('--tag', 'a'),
      'tool --tag a --tag b',
      false,
    ],
    ['a matcher is never a bare flag', commandMatcher().option('--n', /./), 'cmd --n', false],
    ['a wrapper', commandMatcher('sudo').option('-u', 'ci'), 'sudo -u ci /bin/zsh -lc "ls -l"', true],
    ['a basename', commandMatcher('git').arg('push'), '/usr/bin/git push', true],
    [
      'a leaf',
      commandMatcher('pnpm').arg('test').option('--filter', 'web'),
      'cd app && pnpm test --filter web',
      true,
    ],
    ['a text sees the whole command', 'cd app &&', 'cd app && pnpm test --filter web', true],
    ['a pattern with a state', /pnpm/g, 'cd app && pnpm test', true],
    ['a quoted operator', commandMatcher('rm'), 'echo "a && rm b"', false],
  ])('%s', (_, matcher, command, expected) => {
    expect(matches(matcher, command)).toBe(expected);
    expect(matches(matcher, command)).toBe(expected);
  });

  test('built from a reading it matches that reading', () => {
    const word = fc.oneof(
      fc.constantFrom('-x', '--name', '--n=v', '-xyz', '-p80', '--', '-', 'a', 'b c'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (args) => {
        const command = ['tool', ...args].map(shellQuote).join(' ');
        for (const { positionals, options, hasEndOfOptions } of readingsOf(args)) {
          const matcher = commandMatcher('tool').args(...positionals);
          for (const [name, values] of options) for (const value of values) matcher.option(name, value);
          if (hasEndOfOptions) matcher.endOfOptions();
          expect(matches(matcher.strict(), command)).toBe(true);
          expect(matches(matcher.build(), command)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('assert.commands', () => {
  const report = ran('pnpm build && pnpm test', 'bash -lc "ls; rm -rf x"', 'curl x');
  const { commands } = assert;

  test.each<[string, () => void, string | undefined]>([
    ['includes', () => commands.includes(report, 'curl'), undefined],
    [
      'includes, missing',
      () => commands.includes(report, 'npm ci', { message: 'Use npm ci.' }),
      'Use npm ci. Expected a command matching "npm ci". Observed commands: pnpm build && pnpm test | bash -lc "ls; rm -rf x" | curl x',
    ],
    [
      'notIncludes inside a wrapper',
      () => commands.notIncludes(ran('bash -lc "ls; rm -rf x"'), commandMatcher('rm')),
      'Expected no command matching (executable="rm"). Unexpected: bash -lc "ls; rm -rf x" read as (executable="ls") and (executable="rm", positionals=["x"], options={-r: [<flag>], -f: [<flag>]}) Observed commands: bash -lc "ls; rm -rf x" read as (executable="ls") and (executable="rm", positionals=["x"], options={-r: [<flag>], -f: [<flag>]})',
    ],
    ['count is about events', () => commands.count(report, commandMatcher('pnpm'), 1), undefined],
    [
      'count',
      () => commands.count(ran('a', 'a'), 'a', 1),
      'Expected exactly 1 command matching "a", found 2. Observed commands: a | a',
    ],
    [
      'atLeast',
      () => commands.atLeast(ran('a'), /a/i, 2),
      'Expected at least 2 commands matching /a/i, found 1. Observed commands: a',
    ],
    ['atMost', () => commands.atMost(ran('a', 'a'), 'a', 2), undefined],
    ['exactlyOne', () => commands.exactlyOne(report, 'curl'), undefined],
    ['size', () => commands.size(ran(), 1), 'Expected exactly 1 command, found 0. Observed commands: (none)'],
    [
      'before in one event',
      () => commands.before(report, commandMatcher().arg('build'), commandMatcher().arg('test')),
      undefined,
    ],
    [
      'before, the same position',
      () => commands.before(ran('a b'), 'a', 'b'),
      'Expected a command matching "a" before one matching "b". Found first match at index 0 and second match at index 0. Observed commands: a b',
    ],
    [
      'before, missing',
      () => commands.before(ran('a'), 'a', 'z'),
      'Expected a command matching "a" before one matching "z". Missing: "z" Observed commands: a',
    ],
    [
      'only by leaves',
      () => commands.only(ran('pnpm build && pnpm test'), [commandMatcher('pnpm')]),
      undefined,
    ],
    ['only by a text', () => commands.only(ran('pnpm test && curl x'), ['curl']), undefined],
    [
      'only, an uncovered leaf',
      () => commands.only(ran('pnpm test && curl x'), [commandMatcher('pnpm')]),
      'Expected only commands matching (executable="pnpm"). Unexpected: pnpm test && curl x read as (executable="pnpm", positionals=["test"]) and (executable="curl", positionals=["x"]) Observed commands: pnpm test && curl x read as (executable="pnpm", positionals=["test"]) and (executable="curl", positionals=["x"])',
    ],
    [
      'only, nothing',
      () => commands.only(ran('a'), []),
      'Expected no commands. Unexpected: a Observed commands: a',
    ],
    ['first', () => commands.first(report, 'pnpm'), undefined],
    [
      'last',
      () => commands.last(ran(), 'a'),
      'Expected the last command to match "a". Observed commands: (none)',
    ],
    [
      'no report',
      () => commands.includes(undefined as never, 'a'),
      'TypeError: expected the session report as first argument, got undefined',
    ],
    [
      'no matcher',
      () => commands.includes(report, 3 as never),
      'TypeError: expected a text, a RegExp or a structured command matcher, got 3',
    ],
    [
      'a fraction',
      () => commands.count(report, 'a', 1.5),
      'TypeError: expected a whole number of at least 0, got 1.5',
    ],
    [
      'an unknown part',
      () => commands.includes(report, { arg: 'x' } as never),
      'TypeError: unknown key arg in a command matcher; known: executable, positionals, options, endOfOptions, exact, strict',
    ],
    [
      'an unknown option',
      () => commands.includes(report, 'a', { mesage: 'x' } as never),
      'TypeError: unknown option mesage of an assertion; known: message, explain',
    ],
  ])('%s', (_, call, expected) => {
    expect(messageFrom(call)).toBe(expected);
  });

  test('shows at most 20 values of 200 characters', () => {
    const many = ran(...Array.from({ length: 22 }, (_, index) => `${index}`), 'x'.repeat(300));
    expect(messageFrom(() => commands.includes(many, 'zz'))).toMatch(/ 19 \(\+3 more\)$/);
    const shown = messageFrom(() => commands.includes(ran('x'.repeat(300)), 'zz')) ?? '';
    expect(shown.slice(shown.indexOf('Observed')).length).toBe('Observed commands: '.length + 200);
  });

  test('an error shows the path of its assertion', () => {
    let location: unknown;
    try {
      commands.includes(ran(), 'x');
    } catch (error) {
      location = (error as { location?: string }).location;
    }
    expect(location).toMatch(/^\/.*commands\.test\.ts:\d+:\d+$/);
  });
});
