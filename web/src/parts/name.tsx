import { lineText } from './cut.ts';
import { safeText } from './safe-text.ts';

/** A name that people or programs made up: at most two lines, the rest shown by pointing at it. */
export function Name({ text }: { readonly text: string }) {
  return (
    <span className="name" title={text.length > 60 ? safeText(lineText(text, 2000)) : undefined}>
      {safeText(lineText(text, 160))}
    </span>
  );
}
