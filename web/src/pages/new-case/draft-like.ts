import { draftOf, type Draft } from '../../editor/draft.ts';
import type { WholeCase } from '../../cases/queries.ts';

/** The draft of another case that expects the same: its name and its first message are still to be written. */
export function draftLike({ fields, mocks }: Pick<WholeCase, 'fields' | 'mocks'>): Draft {
  const draft = draftOf(fields, mocks);
  const status = draft.status === 'archived' ? 'active' : draft.status;
  return { ...draft, status, name: '', description: '', initial_message: '' };
}
