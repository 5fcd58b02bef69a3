import { expect, test } from 'vitest';

import { table } from '../src/api/table.ts';
import { textOfPage } from './docs/blocks.ts';

test('the page of the API lists every route', () => {
  const page = textOfPage('docs/guide/api.md');
  const routes = Object.values(table).map(({ method, path }) => `\`${method} ${path}\``);
  expect(routes.filter((route) => !page.includes(route))).toEqual([]);
  const listed = [...page.matchAll(/^\| (`(?:GET|POST|PUT|PATCH|DELETE) \/\S+`) \|/gm)].map(
    ([, route]) => route,
  );
  expect(listed.toSorted()).toEqual(routes.toSorted());
});
