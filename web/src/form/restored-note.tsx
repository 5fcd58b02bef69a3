/** Tells that a form shows what somebody typed before, and can forget it. */
export function RestoredNote({ onDiscard }: { readonly onDiscard: () => void }) {
  return (
    <div className="note row between" aria-live="polite">
      <span>Your changes that were not saved are here again.</span>
      <button type="button" onClick={onDiscard}>
        Discard them
      </button>
    </div>
  );
}
