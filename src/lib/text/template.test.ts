import { describe, expect, test } from 'vitest';

import { parseTemplate, renderTemplate, templateNames, templateText, namedValue } from './template.ts';

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

test('a dotted name goes through own members only', () => {
  const root = { user: { name: 'Ada', tags: ['x', 'y'] } };
  expect(namedValue(root, 'user.name')).toBe('Ada');
  expect(namedValue(root, 'user.tags.1')).toBe('y');
  expect(namedValue(root, 'user.age')).toBeUndefined();
  expect(namedValue(root, 'user.tags.length')).toBeUndefined();
  expect(namedValue(root, 'user.name.length')).toBeUndefined();
  expect(namedValue(root, 'constructor.name')).toBeUndefined();
});
