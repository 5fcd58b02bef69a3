import { lineText } from '../../parts/cut.ts';
import { safeText } from '../../parts/safe-text.ts';
import { useRuns } from '../../queries.ts';

interface RunChoiceProps {
  readonly chosen: string | undefined;
  readonly onChoose: (run: string) => void;
}

/** One of the newest runs, or the one of the address. */
export function RunChoice({ chosen, onChoose }: RunChoiceProps) {
  const runs = useRuns({}).data?.pages.flatMap(({ data }) => data) ?? [];
  const isOther = chosen !== undefined && runs.every(({ id }) => id !== chosen);
  return (
    <label>
      <span>Run</span>
      <select value={chosen ?? ''} onChange={({ target }) => onChoose(target.value)}>
        {chosen === undefined ? <option value="">none</option> : null}
        {isOther ? <option value={chosen}>{safeText(chosen)}</option> : null}
        {runs.map(({ id, name }) => (
          <option key={id} value={id}>
            {safeText(name === null ? id : `${lineText(name, 40)} (${id})`)}
          </option>
        ))}
      </select>
    </label>
  );
}
