import { CASE_STATUSES, caseFilters, type CaseFilters } from '../../cases/case-filters.ts';
import { useSets, useTags } from '../../cases/queries.ts';
import { safeText } from '../../parts/safe-text.ts';
import { SearchBox } from '../../parts/search-box.tsx';
import { TagFilter } from '../../parts/tag-filter.tsx';

interface FilterBarProps {
  readonly filters: CaseFilters;
  /** The list is there. Tags and sets to choose from are counted over all cases, and come after it. */
  readonly isListed: boolean;
  readonly onChange: (next: (now: CaseFilters) => CaseFilters) => void;
}

type Changes = { readonly [Name in keyof CaseFilters]?: unknown };

/** The selector of cases: what is chosen stands in the address. */
export function FilterBar({ filters, isListed, onChange }: FilterBarProps) {
  const tags = (useTags({ enabled: isListed }).data?.data ?? []).map(({ tag }) => tag);
  const change = (next: Changes) => onChange((now) => caseFilters({ ...now, ...next }));
  return (
    <div className="tools" role="group" aria-label="Filters">
      <SearchBox value={filters.search} onSearch={(search) => change({ search })} />
      <label>
        <span>Status</span>
        <select
          value={filters.status ?? 'active'}
          onChange={({ target }) => change({ status: target.value === 'active' ? '' : target.value })}
        >
          {[...CASE_STATUSES, 'any'].map((status) => (
            <option key={status}>{status}</option>
          ))}
        </select>
      </label>
      <label>
        <span>Difficulty</span>
        <select
          value={filters.difficulty ?? ''}
          onChange={({ target }) => change({ difficulty: target.value })}
        >
          <option value="">any</option>
          <option>normal</option>
          <option>hard</option>
        </select>
      </label>
      <SetChoice chosen={filters.set} isListed={isListed} onChange={(set) => change({ set })} />
      <TagFilter
        label="Any of these tags"
        tags={filters.tag_any ?? []}
        known={tags}
        onChange={(next) => onChange((now) => caseFilters({ ...now, tag_any: next(now.tag_any ?? []) }))}
      />
      <TagFilter
        label="All of these tags"
        tags={filters.tag_all ?? []}
        known={tags}
        onChange={(next) => onChange((now) => caseFilters({ ...now, tag_all: next(now.tag_all ?? []) }))}
      />
    </div>
  );
}

interface SetChoiceProps {
  readonly chosen: string | undefined;
  readonly isListed: boolean;
  readonly onChange: (set: string) => void;
}

/** Only where there are sets, or one is chosen. */
function SetChoice({ chosen, isListed, onChange }: SetChoiceProps) {
  const sets = useSets({ enabled: isListed }).data?.data ?? [];
  if (sets.length === 0 && chosen === undefined) return null;
  const isUnknown = chosen !== undefined && sets.every(({ id }) => id !== chosen);
  return (
    <label>
      <span>Set</span>
      <select value={chosen ?? ''} onChange={({ target }) => onChange(target.value)}>
        <option value="">none</option>
        {isUnknown ? <option value={chosen}>{safeText(chosen)}</option> : null}
        {sets.map(({ id, name }) => (
          <option key={id} value={id}>
            {safeText(name)}
          </option>
        ))}
      </select>
    </label>
  );
}
