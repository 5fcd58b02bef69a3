import { safeText } from './safe-text.ts';

/** Why an action was refused, where it was tried. */
export function Refused({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : (
    <p className="problem" role="alert">
      {safeText(text)}
    </p>
  );
}
