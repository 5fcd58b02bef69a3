import { archivedFilter, type ArchivedFilter } from './archived.ts';

interface ArchivedChoiceProps {
  readonly filter: ArchivedFilter;
  readonly onChange: (filter: ArchivedFilter) => void;
}

/** The filter of a list with archived entries. */
export function ArchivedChoice({ filter, onChange }: ArchivedChoiceProps) {
  return (
    <div className="tools" role="group" aria-label="Filters">
      <label>
        <span>Show</span>
        <select
          value={filter.archived ?? ''}
          onChange={({ target }) => onChange(archivedFilter({ archived: target.value }))}
        >
          <option value="">in use</option>
          <option value="true">archived</option>
          <option value="any">all</option>
        </select>
      </label>
    </div>
  );
}
