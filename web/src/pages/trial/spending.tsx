import type { Row } from '../../../../src/core/run.ts';
import { plural } from '../../../../src/lib/text/plural.ts';
import { cachedText } from '../../../../src/reading/cached.ts';
import { costText, durationText, rowCosts, SPENDER_WORDS } from '../../../../src/reading/phrases.ts';
import { DataTable, numbers } from '../../parts/data-table.tsx';

const COLUMNS = ['Role', ...['Input', 'Output', 'Cost'].map(numbers)];

/** Tokens and money of a trial by who spent them, and its size. */
export function Spending({ row }: { readonly row: Row }) {
  const costs = rowCosts(row);
  const cached = cachedText(row);
  return (
    <section aria-labelledby="spending">
      <h2 id="spending">Usage and cost</h2>
      <DataTable label="Usage and cost" columns={COLUMNS}>
        {SPENDER_WORDS.map(([spender, word]) => {
          const usage = row.usage[spender];
          return (
            <tr key={spender}>
              <th scope="row">{word}</th>
              <td className="number">
                {countText(usage?.inputTokens)}
                {usage?.cacheReadTokens === undefined ? null : (
                  <small>{countText(usage.cacheReadTokens)} cached</small>
                )}
              </td>
              <td className="number">
                {countText(usage?.outputTokens)}
                {usage?.reasoningTokens === undefined ? null : (
                  <small>{countText(usage.reasoningTokens)} reasoning</small>
                )}
              </td>
              <td className="number">{costText(costs[spender])}</td>
            </tr>
          );
        })}
      </DataTable>
      <p className="quiet">
        {plural(row.turns, 'agent turn')}, {plural(row.steps, 'step')}, {durationText(row.durationMs)}
      </p>
      {cached === undefined ? null : <p className="quiet">{cached}</p>}
    </section>
  );
}

function countText(count: number | undefined): string {
  return count === undefined ? '-' : count.toLocaleString('en');
}
