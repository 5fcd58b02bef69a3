import type { Row } from '../../../../src/core/run.ts';
import { costText, durationText, rowCosts, SPENDER_WORDS } from '../../../../src/reading/phrases.ts';

/** Tokens and money of a trial by who spent them, and its times. */
export function Spending({ row }: { readonly row: Row }) {
  const costs = rowCosts(row);
  const { latency = [] } = row;
  return (
    <section aria-labelledby="spending">
      <h2 id="spending">Usage and cost</h2>
      <div className="scroll" tabIndex={0} role="group" aria-labelledby="spending">
        <table>
          <thead>
            <tr>
              <th scope="col">Who</th>
              <th scope="col">Input tokens</th>
              <th scope="col">Cached</th>
              <th scope="col">Output tokens</th>
              <th scope="col">Reasoning</th>
              <th scope="col">Cost</th>
            </tr>
          </thead>
          <tbody>
            {SPENDER_WORDS.map(([spender, word]) => {
              const usage = row.usage[spender];
              return (
                <tr key={spender}>
                  <th scope="row">{word}</th>
                  <td>{countText(usage?.inputTokens)}</td>
                  <td>{countText(usage?.cacheReadTokens)}</td>
                  <td>{countText(usage?.outputTokens)}</td>
                  <td>{countText(usage?.reasoningTokens)}</td>
                  <td>{costText(costs[spender])}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <p className="quiet">
        {row.turns} agent turns, {row.steps} steps, {durationText(row.durationMs)}
        {latency.length === 0 ? '' : `; each turn took ${latency.map(durationText).join(', ')}`}
      </p>
    </section>
  );
}

function countText(count: number | undefined): string {
  return count === undefined ? '–' : count.toLocaleString('en');
}
