import { useState } from 'react';

import { lineText } from '../../parts/cut.ts';
import { safeText } from '../../parts/safe-text.ts';
import { SearchBox } from '../../parts/search-box.tsx';
import { Empty, Failed } from '../../parts/states.tsx';
import type { MemberList } from '../../sets/member-list.ts';
import { useFoundCases } from '../../sets/queries.ts';

interface AddCasesProps {
  readonly list: MemberList;
  /** The list is being saved. */
  readonly isBusy: boolean;
  readonly onChange: (list: MemberList) => void;
}

/** A search for cases that are not in the set yet. */
export function AddCases({ list, isBusy, onChange }: AddCasesProps) {
  const [search, setSearch] = useState('');
  const found = useFoundCases(search);
  const ids = new Set(list.map(({ id }) => id));
  return (
    <section aria-labelledby="add-cases">
      <h2 id="add-cases">Add cases</h2>
      <div className="tools">
        <SearchBox value={search} onSearch={(text = '') => setSearch(text)} />
      </div>
      {found.isError ? <Failed error={found.error} /> : null}
      {search === '' || found.data === undefined ? null : found.data.data.length === 0 ? (
        <Empty>No case has this text in its name or description.</Empty>
      ) : (
        <ul className="list">
          {found.data.data.map(({ id, name, status }) => (
            <li key={id}>
              <span className="row between">
                <span>
                  {safeText(lineText(name, 160))}{' '}
                  {status === 'active' ? null : <small className="quiet">{status}</small>}
                </span>
                <button
                  type="button"
                  aria-label={`${ids.has(id) ? 'In the set:' : 'Add'} ${safeText(lineText(name, 80))}`}
                  aria-disabled={isBusy || ids.has(id)}
                  onClick={() => isBusy || ids.has(id) || onChange([...list, { id, repetitions: '1', name }])}
                >
                  {ids.has(id) ? 'In the set' : 'Add'}
                </button>
              </span>
            </li>
          ))}
        </ul>
      )}
      {found.data?.next_cursor == null || search === '' ? null : (
        <p className="quiet">These are the first 10. Type more to find others.</p>
      )}
    </section>
  );
}
