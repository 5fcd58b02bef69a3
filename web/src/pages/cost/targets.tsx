import type { RunCost } from '../../../../src/api/resources/cost.ts';
import { SPENDER_WORDS } from '../../../../src/reading/phrases.ts';
import { DataTable, numbers } from '../../parts/data-table.tsx';
import { Name } from '../../parts/name.tsx';
import { moneyText } from './money.ts';

const COLUMNS = [
  'Target',
  numbers('Trials'),
  ...SPENDER_WORDS.map(([, word]) => numbers(word)),
  numbers('all roles'),
];

/** What each target cost, by role. */
export function TargetCosts({ targets }: Pick<RunCost, 'targets'>) {
  if (targets.length < 2) return null;
  return (
    <section aria-labelledby="targets">
      <h2 id="targets">By target</h2>
      <DataTable label="By target" columns={COLUMNS}>
        {targets.map(({ target, ...spent }) => (
          <tr key={target}>
            <th scope="row">
              <Name text={target} />
            </th>
            <td className="number">{spent.trials}</td>
            {SPENDER_WORDS.map(([spender]) => {
              const role = spent.roles.find((each) => each.role === spender);
              return (
                <td key={spender} className="number">
                  {role === undefined ? '-' : moneyText(role)}
                </td>
              );
            })}
            <td className="number">
              <strong>{moneyText(spent)}</strong>
            </td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}
