import { safeText } from './safe-text.ts';

/** What counts as passing, as sentences that must all hold. */
export function ConditionsToPass({ conditions }: { readonly conditions: readonly string[] }) {
  if (conditions.length === 0) {
    return (
      <p>
        Nothing is graded yet. Add expected outcomes or expected tool calls to the case, or a check to the
        config.
      </p>
    );
  }
  return (
    <ul className="plain-list">
      {conditions.map((condition) => (
        <li key={condition}>{safeText(condition)}</li>
      ))}
    </ul>
  );
}
