import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';

import { CaseForm } from '../editor/case-form.tsx';
import { EMPTY_DRAFT } from '../editor/draft.ts';
import { useTitle } from '../parts/use-title.ts';

const NEW = { draft: EMPTY_DRAFT, base: EMPTY_DRAFT, version: '' };

/** A case that is written here. */
export function NewCasePage() {
  useTitle('New case');
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <>
      <p className="path">
        <Link to="/cases">← Cases</Link>
      </p>
      <h1>New case</h1>
      <CaseForm
        first={NEW}
        again={async () => NEW}
        onSaved={(id) => {
          void queries.invalidateQueries({ queryKey: ['cases'] });
          void queries.invalidateQueries({ queryKey: ['tags'] });
          void navigate({ to: '/cases/$id', params: { id } });
        }}
      />
    </>
  );
}
