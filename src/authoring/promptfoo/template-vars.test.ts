import { expect, test } from 'vitest';

import type { Importing } from './notes.ts';
import { namesIn, renamedVars } from './template-vars.ts';

/** A template as it is imported, and how many notes it has. */
function imported(text: string): readonly [text: string, notes: number] {
  let notes = 0;
  const importing: Importing = {
    note: () => void (notes += 1),
    readText: () => undefined,
    filesOf: () => [],
    write: () => '',
    moved: (path) => path,
  };
  return [renamedVars(text, [], importing), notes];
}

test.each([
  ['{{ a }} {{b.c|safe}} {{- vars.d -}}', '{{ vars.a }} {{ vars.b.c }} {{ vars.d }}'],
  ["{{ a | safe | default('x | safe b') | safe }}", "{{ vars.a | default('x | safe b') }}"],
  ['{{ a | dump }} {{ a | default(" | dump") }}', '{{ vars.a | json }} {{ vars.a | default(" | dump") }}'],
  ["{{ a | replace('}', '{{ b }}') }}", "{{ vars.a | replace('}', '{{ b }}') }}"],
])('%s becomes %s', (text, expected) => {
  expect(imported(text)).toEqual([expected, 0]);
});

test.each(["{{ don't }}", '{{ a | shout }}', '{{ env.A }}', "{{ a | default('x }}"])(
  '%s stays text, with a note',
  (text) => {
    expect(imported(text)).toEqual([`\\${text}`, 1]);
  },
);

test('names without a default are needed', () => {
  const text = "{{ vars.a | default('}') }} {{ vars.b.c | upper }} {{ vars.b }} {{ vars.d }}{{ vars.d }}";
  expect(namesIn(text)).toEqual(['b', 'd']);
});

test('a megabyte is read in one pass', () => {
  const spaces = `{{ a${' '.repeat(1_000_000)}b }}`;
  expect(imported(spaces)).toEqual([`\\${spaces}`, 1]);
  expect(namesIn('{{ vars.a '.repeat(100_000))).toEqual([]);
  expect(namesIn('{{ vars.a }} '.repeat(100_000))).toEqual(['a']);
});
