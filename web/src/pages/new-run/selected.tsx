import { Link } from '@tanstack/react-router';

import { askedCases, type CaseFilters } from '../../cases/case-filters.ts';
import { useCaseNames, useCases } from '../../cases/queries.ts';
import { lineText } from '../../parts/cut.ts';
import { safeText } from '../../parts/safe-text.ts';

const MOST_NAMES = 3;
const NONE: readonly string[] = [];

interface SelectedProps {
  /** Undefined: the filters select. */
  readonly ids: readonly string[] | undefined;
  readonly filters: CaseFilters;
}

/** Which test cases a run is of: the first ones by their names. */
export function Selected({ ids = NONE, filters }: SelectedProps) {
  const shown = ids.slice(0, MOST_NAMES);
  const names = useCaseNames(shown);
  if (ids.length === 0) return <Filtered by={filters} />;
  return (
    <p aria-live="polite">
      {ids.length === 1 ? 'One selected test case' : `${ids.length} selected test cases`}:{' '}
      {shown.map((id, at) => (
        <span key={id}>
          {at === 0 ? '' : ', '}
          <Link to="/cases/$id" params={{ id }}>
            <strong>{safeText(lineText(names.get(id) ?? id, 80))}</strong>
          </Link>
        </span>
      ))}
      {ids.length > MOST_NAMES ? ' …' : ''}
    </p>
  );
}

function Filtered({ by: filters }: { readonly by: CaseFilters }) {
  const found = useCases(filters).data?.pages[0]?.data;
  if (found?.length !== 0) return <p aria-live="polite">{safeText(filteredText(filters))}</p>;
  return (
    <p aria-live="polite">
      {Object.keys(filters).length > 0 ? (
        'No test case matches these filters.'
      ) : (
        <>
          No active test cases yet. <Link to="/cases/new">Write one</Link>.
        </>
      )}
    </p>
  );
}

const WORDS: Readonly<Record<string, string>> = {
  tag_any: 'any of the tags',
  tag_all: 'all of the tags',
  search: 'the text',
  set: 'the set',
};

function filteredText(filters: CaseFilters): string {
  const parts = Object.entries(askedCases(filters)).map(
    ([name, value]) => `${WORDS[name] ?? name} ${[value].flat().join(', ')}`,
  );
  return parts.length === 0 ? 'All active test cases.' : `Test cases with ${parts.join('; ')}.`;
}
