import { lineText } from './cut.ts';
import { safeText } from './safe-text.ts';

/** A case by its name, with its id shown by pointing at it; without a name by its id. */
export function CaseName({ id, name }: { readonly id: string; readonly name: string | null }) {
  if (name === null) return <Name text={id} />;
  return (
    <span className="name" title={safeText(lineText(`${name} (${id})`, 2000))}>
      {safeText(lineText(name, 160))}
    </span>
  );
}

/** A name that people or programs made up: at most two lines, the rest shown by pointing at it. */
export function Name({ text }: { readonly text: string }) {
  return (
    <span className="name" title={text.length > 60 ? safeText(lineText(text, 2000)) : undefined}>
      {safeText(lineText(text, 160))}
    </span>
  );
}
