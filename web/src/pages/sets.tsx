import { useSearch } from '@tanstack/react-router';

import { useSetList } from '../sets/queries.ts';
import { StoredList } from './stored-list.tsx';

/** The sets of test cases. */
export function SetsPage() {
  return (
    <StoredList
      of={useSetList(useSearch({ from: '/sets' }))}
      place="/sets"
      one="set"
      nameColumn="Set"
      title="Sets"
      emptyText="No sets yet. A set is a list of test cases in an order, with repetitions."
    />
  );
}
