import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { parseDotenv } from './dotenv.ts';

it('reads assignments, export, quotes and comments, and passes over the rest', () => {
  const text = `\ufeff# a comment
A=plain value   # said aside
export B = "two\\nlines # no comment" # a comment
C='raw \\n $A'
D=
E="over
two lines"
F=a#b
  G=indented\r
H="said \\"so\\""
no assignment
9X=1
I="not closed
A2=\\n
J='it' and more
`;
  expect(parseDotenv(text)).toEqual({
    A: 'plain value',
    B: 'two\nlines # no comment',
    C: 'raw \\n $A',
    D: '',
    E: 'over\ntwo lines',
    F: 'a#b',
    G: 'indented',
    H: 'said "so"',
    I: '"not closed',
    A2: '\\n',
    J: "'it' and more",
  });
});

it('gives back every text that was quoted', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (value) => {
      const whole = value.replace(/\r/g, '');
      const quoted = whole.replace(/["\\]/g, String.raw`\$&`);
      expect(parseDotenv(`A="${quoted}"\nB=1\n`)).toEqual({ A: whole, B: '1' });
    }),
  );
});
