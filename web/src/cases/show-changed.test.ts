import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';

import type { TestCaseResource } from '../../../src/api/resources/test-case.ts';
import { showChanged } from './show-changed.ts';

const caseOf = (id: string, status: TestCaseResource['status'], tags: readonly string[] = []) =>
  ({ id, status, tags }) as TestCaseResource;

test('changed cases are shown in their places, and archived ones leave lists without them', () => {
  const queries = new QueryClient();
  const listed = {
    pages: [{ data: [caseOf('a', 'active'), caseOf('b', 'active')] }, { data: [caseOf('c', 'active')] }],
    pageParams: [{}, {}],
  };
  for (const filters of [{}, { status: 'any' }]) queries.setQueryData(['cases', filters], listed);
  const [a, c] = [caseOf('a', 'active', ['new']), caseOf('c', 'archived')];
  showChanged(queries, new Map([a, c].map((each) => [each.id, each])));
  const shown = [{}, { status: 'any' }].map((filters) =>
    queries.getQueryData<typeof listed>(['cases', filters])?.pages.map(({ data }) => data),
  );
  expect(shown).toEqual([
    [[a, caseOf('b', 'active')], []],
    [[a, caseOf('b', 'active')], [c]],
  ]);
});
