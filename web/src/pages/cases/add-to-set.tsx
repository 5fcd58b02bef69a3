import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';

import type { TestCaseResource } from '../../../../src/api/resources/test-case.ts';
import { api } from '../../api.ts';
import { useSets } from '../../cases/queries.ts';
import { lineText } from '../../parts/cut.ts';
import { safeText } from '../../parts/safe-text.ts';
import { useSend } from '../../session/use-send.ts';
import { refreshSets } from '../../sets/queries.ts';

interface AddToSetProps {
  readonly isBusy: boolean;
  readonly onAdd: (set: { readonly id: string; readonly name: string }) => void;
}

/** The choice of a set for the selected cases. */
export function AddToSet({ isBusy, onAdd }: AddToSetProps) {
  const sets = useSets({ enabled: true }).data?.data ?? [];
  const [chosen, setChosen] = useState('');
  const set = sets.find(({ id }) => id === chosen) ?? sets[0];
  if (set === undefined) {
    return (
      <Link className="button" to="/sets/new">
        New set
      </Link>
    );
  }
  const add = (event: FormEvent) => {
    event.preventDefault();
    onAdd(set);
  };
  return (
    <form className="row" onSubmit={add}>
      <label>
        <span>Into set</span>
        <select value={set.id} onChange={({ target }) => setChosen(target.value)}>
          {sets.map(({ id, name }) => (
            <option key={id} value={id}>
              {safeText(lineText(name, 60))}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" disabled={isBusy}>
        Add to set
      </button>
    </form>
  );
}

/** Adds cases that are not in the set yet, all at once, and says how many. */
export function useAddToSet() {
  const queries = useQueryClient();
  const send = useSend();
  return async (id: string, cases: readonly TestCaseResource[]): Promise<number> => {
    const path = { id };
    const { data } = await api<'listMembers'>('/case-sets/{id}/members', { path });
    const members = new Set(data.map(({ test_case_id: of }) => of));
    const body = cases.filter((each) => !members.has(each.id)).map((each) => ({ test_case_id: each.id }));
    if (body.length > 0) await send<'addMembers'>(['POST', '/case-sets/{id}/members'], { path, body });
    void refreshSets(queries, id);
    return body.length;
  };
}
