import { costText, SPENDER_WORDS } from '../../../src/reading/phrases.ts';
import type { Totals } from '../../../src/reading/totals.ts';

/** What the agent cost, and below it the others: those who judge an agent are never added to it. */
export function Costs({ of }: { readonly of: Totals['costUsd'] }) {
  return (
    <>
      {costText(of.agent)}
      {SPENDER_WORDS.map(([spender, word]) =>
        spender === 'agent' || of[spender].known + of[spender].unknown === 0 ? null : (
          <small key={spender}>
            {word} {costText(of[spender])}
          </small>
        ),
      )}
    </>
  );
}
