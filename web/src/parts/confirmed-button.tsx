import { useState } from 'react';

interface ConfirmedButtonProps {
  /** What it does, for its first press. */
  readonly text: string;
  /** The whole action, for the second press and for screen readers. */
  readonly whole: string;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
}

/** A button for what cannot be taken back: it acts when it is pressed again. */
export function ConfirmedButton({ text, whole, isBusy, onConfirm }: ConfirmedButtonProps) {
  const [isAsked, setIsAsked] = useState(false);
  const press = () => {
    if (isAsked) onConfirm();
    setIsAsked(!isAsked);
  };
  return (
    <button
      type="button"
      aria-label={isAsked ? `Press again: ${whole}` : whole}
      aria-disabled={isBusy}
      onClick={press}
      onBlur={() => setIsAsked(false)}
    >
      {isAsked ? 'Press again' : text}
    </button>
  );
}
