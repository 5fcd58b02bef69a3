import type { Row } from '../../../../src/core/run.ts';
import { given } from '../../../../src/lib/given.ts';
import { endText } from '../../../../src/reading/conversation-words.ts';
import { LongText } from '../../parts/long-text.tsx';
import { limitText } from './limit-text.ts';

/** What a person should know about a trial in addition to its grades. */
export function Remarks({ row }: { readonly row: Row }) {
  const remarks = remarksOf(row);
  if (remarks.length === 0) return null;
  return (
    <section aria-labelledby="remarks">
      <h2 id="remarks">Notes</h2>
      <ul className="plain-list">
        {remarks.map(([title, text]) => (
          <li key={`${title} ${text}`}>
            <small>{title}</small>
            <LongText text={text} most={600} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function remarksOf(row: Row): readonly (readonly [title: string, text: string])[] {
  const { failureClass, flags = [], notes = [], limit, unenforced = [], end } = row;
  const ended = endText(given({ end }));
  return [
    ...(failureClass === undefined
      ? []
      : [['Failure class', failureClass.label ?? failureClass.id] as const]),
    ...(ended === undefined ? [] : [['End of the conversation', ended] as const]),
    ...(limit === undefined ? [] : [['Limit reached', limitText(limit)] as const]),
    ...(unenforced.length === 0
      ? []
      : [['Limits that could not be enforced', unenforced.join(', ')] as const]),
    ...flags.map((flag) => ['Flag', flag] as const),
    ...notes.map((note) => ['Note', note] as const),
  ];
}
