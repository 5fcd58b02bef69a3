import type { RunCost } from '../../../../src/api/resources/cost.ts';
import { SPENDER_WORDS } from '../../../../src/reading/phrases.ts';
import { DataTable, numbers } from '../../parts/data-table.tsx';
import { moneyText } from './money.ts';

type Spent = RunCost['total'];

const COLUMNS = ['Role', ...['Cost', 'Input tokens', 'Cached', 'Output tokens', 'Reasoning'].map(numbers)];

interface RoleTableProps {
  readonly label: string;
  readonly spent: Spent;
}

/** Money and tokens by role; those who judge an agent are never added to it. */
export function RoleTable({ label, spent }: RoleTableProps) {
  const words = new Map(SPENDER_WORDS);
  return (
    <DataTable label={label} columns={COLUMNS}>
      {spent.roles.map((role) => (
        <tr key={role.role}>
          <th scope="row">{words.get(role.role) ?? role.role}</th>
          <td className="number">{moneyText(role)}</td>
          <td className="number">{tokensText(role.input_tokens)}</td>
          <td className="number">{tokensText(role.cache_read_tokens)}</td>
          <td className="number">{tokensText(role.output_tokens)}</td>
          <td className="number">{tokensText(role.reasoning_tokens)}</td>
        </tr>
      ))}
      <tr>
        <th scope="row">all roles</th>
        <td className="number">
          <strong>{moneyText(spent)}</strong>
        </td>
        <td colSpan={4} />
      </tr>
    </DataTable>
  );
}

function tokensText(count: number | null): string {
  return count === null ? '-' : count.toLocaleString('en');
}
