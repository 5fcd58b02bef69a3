import type { ReviewerPair } from '../../../../src/core/calibration.ts';
import { DataTable, numbers } from '../../parts/data-table.tsx';
import { Name } from '../../parts/name.tsx';
import { measuredText } from './measured-text.ts';

const COLUMNS = ['Reviewers', numbers('Agree'), 'Share (95 % interval)', 'Kappa (95 % interval)'];

/** How far each two people agree on what both of them reviewed. */
export function Reviewers({ of }: { readonly of: readonly ReviewerPair[] }) {
  if (of.length === 0) return null;
  return (
    <section aria-labelledby="reviewers">
      <h2 id="reviewers">Reviewers</h2>
      <p className="quiet">All verdicts that two people gave on the same expectation or trial count here.</p>
      <DataTable label="Reviewers" columns={COLUMNS}>
        {of.map(({ reviewers: [one, other], verdicts, agreed, share, kappa }) => (
          <tr key={`${one} ${other}`}>
            <th scope="row">
              <Name text={one} />
              <small>
                and <Name text={other} />
              </small>
            </th>
            <td className="number">
              {agreed} of {verdicts}
            </td>
            <td>{measuredText(share, 100)}</td>
            <td>{measuredText(kappa, 1)}</td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}
