import type { ScoreScale } from '../../../../src/core/test-case.ts';
import type { Compared } from '../../compared.ts';
import { DataTable, numbers } from '../../parts/data-table.tsx';
import { Name } from '../../parts/name.tsx';
import { useTagComparisons } from '../../queries.ts';
import type { ComparedValue } from '../../../../src/core/run-comparison.ts';
import { differenceText, valueText } from './points.ts';

const columnsOf = (what: string) => [
  'Tag',
  ...['Cases', 'Worse', 'Better', `Base ${what}`, `Candidate ${what}`, 'Difference'].map(numbers),
];
const COLUMNS = { score: columnsOf('score'), passed: columnsOf('passed') };

interface TagsProps {
  readonly runs: Compared;
  readonly targets: { readonly base: string; readonly candidate: string };
  readonly on: ComparedValue;
  readonly scale: ScoreScale;
}

/** The cases of each tag; a description, and no test of its own. */
export function Tags({ runs, targets, on, scale }: TagsProps) {
  const compared = useTagComparisons(runs);
  const found = compared.data?.data.find(
    ({ base, candidate }) => base === targets.base && candidate === targets.candidate,
  );
  if (found === undefined || found.tags.length === 0) return null;
  return (
    <div className="part">
      <h3>By tag</h3>
      <DataTable isLow label={`By tag, ${targets.base}`} columns={COLUMNS[on]}>
        {found.tags.map(({ tag, pairs, worse, better, base, candidate }) => (
          <tr key={tag}>
            <th scope="row">
              <Name text={tag} />
            </th>
            <td className="number">{pairs}</td>
            <td className="number">{worse}</td>
            <td className="number">{better}</td>
            <td className="number">{valueText({ on, scale }, base)}</td>
            <td className="number">{valueText({ on, scale }, candidate)}</td>
            <td className="number">{differenceText({ on, scale }, candidate - base)}</td>
          </tr>
        ))}
      </DataTable>
    </div>
  );
}
