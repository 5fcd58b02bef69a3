import { describe, expect, test } from 'vitest';

import { everydayGraders } from '../graders/everyday.ts';
import { graders } from '../graders/index.ts';
import { everydayTargets } from '../targets/everyday.ts';
import { targets } from '../targets/index.ts';
import { graderShelf, targetPlugins } from './registry.ts';

const typesOf = (parts: Iterable<{ readonly type: string }>) => [...parts].map(({ type }) => type);

describe('parts that are loaded when they are named', () => {
  test('everyday parts are parts like all others', () => {
    expect(graders).toEqual(expect.arrayContaining([...everydayGraders]));
    expect(targets).toEqual(expect.arrayContaining([...everydayTargets]));
  });

  test('a config of everyday targets gets no others, one that names another or none that exists gets all', async () => {
    const everyday = typesOf(everydayTargets);
    expect(typesOf((await targetPlugins(['http', 'mock'])).values())).toEqual(everyday);
    expect(typesOf((await targetPlugins(['http', 'codex'])).values())).toEqual(typesOf(targets));
    expect(typesOf((await targetPlugins(['htp', undefined])).values())).toEqual(typesOf(targets));
    expect(typesOf((await targetPlugins([{ toString: null }])).values())).toEqual(typesOf(targets));
  });

  test('everyday graders are there, and the others once a type of theirs is loaded', async () => {
    const shelf = graderShelf();
    await shelf.load(['contains']);
    expect([shelf.get('contains')?.type, shelf.get('rubrics')]).toEqual(['contains', undefined]);
    await shelf.load(['contains', 'rubrics']);
    expect([shelf.get('rubrics')?.type, shelf.get('rubrik')]).toEqual(['rubrics', undefined]);
    expect([...shelf.keys()]).toEqual(typesOf(graders));
  });
});
