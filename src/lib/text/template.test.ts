import { describe, expect, test } from 'vitest';

import { FilterResultTooLong, templateText } from './template-filters.ts';
import {
  namedValue,
  neededNames,
  openNames,
  parseTemplate,
  renderTemplate,
  templateNames,
} from './template.ts';

describe('a template', () => {
  test('is text and names, in order', () => {
    expect(parseTemplate('Hi {{ name }}, {{vars.city-name}}!')).toEqual([
      'Hi ',
      { name: 'name' },
      ', ',
      { name: 'vars.city-name' },
      '!',
    ]);
  });

  test('keeps braces around anything but a name as text', () => {
    for (const text of [
      '{{ 1 + 1 }}',
      '{{}}',
      '{{#if x}}',
      '{{ a..b }}',
      '{ name }',
      '{{ 0a }}',
      '{{ a b }}',
    ]) {
      expect(parseTemplate(text)).toEqual([text]);
      expect(renderTemplate(text, () => 'X')).toBe(text);
    }
    expect(parseTemplate('')).toEqual([]);
  });

  test('lists each name once, in order of first use', () => {
    expect(templateNames('{{ b }} {{ a }} {{b}}')).toEqual(['b', 'a']);
    expect(templateNames('none')).toEqual([]);
  });

  test('renders texts as they are and other values as compact JSON', () => {
    const values: Record<string, unknown> = { text: 'a $& b', list: [1, 'x'], none: null, number: 0 };
    expect(renderTemplate('{{ text }}|{{ list }}|{{ none }}|{{ number }}', (name) => values[name])).toBe(
      'a $& b|[1,"x"]|null|0',
    );
    expect(templateText(undefined)).toBe('');
  });

  test('leaves a name without a value as it is written', () => {
    expect(renderTemplate('{{a}} {{ b }}', (name) => (name === 'a' ? 'A' : undefined))).toBe('A {{ b }}');
  });

  test('does not render placeholders inside values', () => {
    expect(renderTemplate('{{ a }}', () => '{{ a }}')).toBe('{{ a }}');
  });
});

describe('filters', () => {
  const vars = { name: ' Ada ', list: ['a', 'b'], none: null, map: { x: 1 }, empty: '' };
  const rendered = (text: string) => renderTemplate(text, (name) => namedValue({ vars }, name));

  test.each([
    ['{{ vars.name | upper }}', ' ADA '],
    ['{{vars.name|trim|lower}}', 'ada'],
    ["{{ vars.name | trim | replace('A', 'O') }}", 'Oda'],
    ['{{ vars.name | trim | replace("da", "$&$$$\'") }}', "A$&$$$'"],
    ['{{ vars.name | trim | upper() | capitalize }}', 'Ada'],
    ["{{ vars.list | join(', ') }} {{ vars.list | join }}", 'a, b ab'],
    ['{{ vars.list | length }} {{ vars.name | length }} {{ vars.map | length }}', '2 5 1'],
    ['{{ vars.list | first }}{{ vars.list | last }}{{ vars.list.1 | upper }}', 'abB'],
    ['{{ vars.name | json }} {{ vars.map | json }}', '" Ada " {"x":1}'],
    ["{{ vars.city | upper | default('it\\s | a }} text') }}", 'it\\s | a }} text'],
    ['{{ vars.city | default("x") | upper }} {{ vars.city | default(5) }}', 'X 5'],
    ["{{ vars.name | trim | default('x') }}[{{ vars.empty | default('x') }}]", 'Ada[]'],
    ["{{ vars.none | default('x') }}", 'x'],
  ])('%s is %s', (text, expected) => {
    expect(rendered(text)).toBe(expected);
    expect(openNames(text)).toEqual([]);
  });

  test.each([
    ['{{ vars.name | shout }}', 'shout'],
    ['{{ vars.name | upper | uppercase }}', 'uppercase'],
    ["{{ vars.name | default('x', true) }}", 'default'],
    ["{{ vars.list | replace('a') }}", 'replace'],
    ["{{ vars.list | replace('', 'x') }}", 'replace'],
    [`{{ vars.name${' | trim'.repeat(20)} | upper }}`, 'upper'],
    ['{{ vars.name | upper }} {{ vars.name | join(vars.list) }}', 'join'],
  ])('%s is not readable, because of %s', (text, filter) => {
    expect(openNames(text)).toEqual([{ name: text.includes('list |') ? 'vars.list' : 'vars.name', filter }]);
  });

  test('other names have none', () => {
    expect(rendered('{{ answer | upper }}')).toBe('{{ answer | upper }}');
    expect(openNames('{{ answer | upper }}')).toEqual([{ name: 'answer' }]);
  });

  test('a name with a default needs no value, and without a value the others stay as they are', () => {
    expect(neededNames("{{ vars.a | default('x') }} {{ vars.b | upper }} {{ c }}")).toEqual(['vars.b', 'c']);
    expect(rendered('{{ vars.city | upper }}')).toBe('{{ vars.city | upper }}');
  });

  test('a long text with open braces is read at once', () => {
    const text = `{{ vars.a${' | upper'.repeat(20_000)} {{`;
    expect(openNames(text)).toEqual([{ name: 'vars.a', filter: 'upper' }]);
    expect(rendered(text)).toBe(text);
  });

  test.each(['', ' | upper', ' | shout', " | default('", ' | default("{{ vars.a | upper | default(\''])(
    'a megabyte of open names with %j is read in one pass',
    (filters) => {
      const opening = `{{ vars.a${filters} `;
      const text = opening.repeat(1_000_000 / opening.length);
      const names = openNames(text);
      expect(new Set(names.map(({ name }) => name))).toEqual(new Set(['vars.a']));
      expect(names.length).toBeLessThan(3);
      expect(rendered(text)).toBe(text);
    },
  );

  test.each([
    ['replace', `{{ vars.name${" | replace('A', 'AAAAAAAAAA')".repeat(7)} }}`],
    ['replace', `{{ vars.name | replace(" ", '${'x'.repeat(500_001)}') }}`],
    ['join', `{{ vars.list | join('${'x'.repeat(1_000_000)}') }}`],
    ['json', `{{ vars.name${' | json'.repeat(20)} }}`],
  ])('a longer result than a million characters is an error of the filter %s', (filter, text) => {
    expect(() => rendered(text)).toThrow(new FilterResultTooLong(filter));
  });

  test('open names differ by name and filter', () => {
    expect(openNames('{{ vars.a | x }} {{ vars.a }} {{ vars.a | y }} {{ vars.b {{ vars.a | x')).toEqual([
      { name: 'vars.a', filter: 'x' },
      { name: 'vars.a', filter: 'y' },
      { name: 'vars.b' },
    ]);
  });
});

test('a dotted name goes through own members only', () => {
  const root = { user: { name: 'Ada', tags: ['x', 'y'] } };
  expect(namedValue(root, 'user.name')).toBe('Ada');
  expect(namedValue(root, 'user.tags.1')).toBe('y');
  expect(namedValue(root, 'user.age')).toBeUndefined();
  expect(namedValue(root, 'user.tags.length')).toBeUndefined();
  expect(namedValue(root, 'user.name.length')).toBeUndefined();
  expect(namedValue(root, 'constructor.name')).toBeUndefined();
});
