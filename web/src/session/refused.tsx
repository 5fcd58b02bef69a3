import { plural } from '../../../src/lib/text/plural.ts';
import { safeText } from '../parts/safe-text.ts';
import { refusalTexts } from './refusal-texts.ts';

/** More would push the page away. */
const MOST_TEXTS = 50;

interface RefusedProps {
  /** What was not done, such as "This run cannot start". */
  readonly what: string;
  /** Undefined: nothing was refused. */
  readonly error: unknown;
}

/** Why something was not done; it stands where it was asked for. */
export function Refused({ what, error }: RefusedProps) {
  if (error === undefined) return null;
  const [first = '', ...more] = refusalTexts(error);
  const left = more.length + 1 - MOST_TEXTS;
  return (
    <div className="problem" role="alert">
      {more.length === 0 ? (
        <p>
          {what}: {safeText(first)}
        </p>
      ) : (
        <>
          <p>{what}:</p>
          <ul>
            {[first, ...more].slice(0, MOST_TEXTS).map((text) => (
              <li key={text}>{safeText(text)}</li>
            ))}
          </ul>
          {left > 0 ? <p>and {plural(left, 'more problem')}</p> : null}
        </>
      )}
    </div>
  );
}
