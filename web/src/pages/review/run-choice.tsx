import type { RunResource } from '../../../../src/api/resources/run.ts';
import { lineText } from '../../parts/cut.ts';
import { runTitle } from '../../parts/line-name.ts';
import { safeText } from '../../parts/safe-text.ts';
import { timeText } from '../../parts/times.ts';
import { useRuns } from '../../queries.ts';

interface RunChoiceProps {
  readonly chosen: string | undefined;
  readonly onChoose: (run: string) => void;
}

/** One of the newest runs, or the one of the address. */
export function RunChoice({ chosen, onChoose }: RunChoiceProps) {
  const runs = useRuns({}).data?.pages.flatMap(({ data }) => data) ?? [];
  const began = runs.map(({ started_at: at }) => at);
  const isOther = chosen !== undefined && runs.every(({ id }) => id !== chosen);
  return (
    <label>
      <span>Run</span>
      <select value={chosen ?? ''} onChange={({ target }) => onChoose(target.value)}>
        {chosen === undefined ? <option value="">none</option> : null}
        {isOther ? <option value={chosen}>{safeText(chosen)}</option> : null}
        {runs.map((run) => (
          <option key={run.id} value={run.id}>
            {safeText(choiceText(run, began))}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Its title, when it began, and what it tested: ids tell people nothing. */
function choiceText(run: RunResource, among: readonly (string | null)[]): string {
  const targets = run.targets.length === 0 ? '' : ` → ${lineText(run.targets.join(', '), 40)}`;
  const began = run.started_at === null ? '' : `, ${timeText(run.started_at, among)}`;
  return `${lineText(runTitle(run), 40)}${began}${targets}`;
}
