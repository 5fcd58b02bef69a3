import { safeText } from '../parts/safe-text.ts';
import { refusalTexts } from './refusal-texts.ts';

interface RefusedProps {
  /** What was not done, such as "This run cannot start". */
  readonly what: string;
  readonly error: unknown;
}

/** Why something was not done; it stands where it was asked for. */
export function Refused({ what, error }: RefusedProps) {
  const [first = '', ...more] = refusalTexts(error);
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
            {[first, ...more].map((text) => (
              <li key={text}>{safeText(text)}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
