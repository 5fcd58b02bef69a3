import { Link } from '@tanstack/react-router';

import { safeText } from '../../parts/safe-text.ts';

interface ErroredProps {
  readonly run: string;
  /** Trials by `stage/kind`. */
  readonly by: Readonly<Record<string, number>>;
}

/** Errored trials by stage and kind, the most frequent first. */
export function Errored({ run, by }: ErroredProps) {
  const counts = Object.entries(by).toSorted(([, left], [, right]) => right - left);
  if (counts.length === 0) return null;
  return (
    <section aria-labelledby="errored">
      <h2 id="errored">Errored by stage and kind</h2>
      <table>
        <tbody>
          {counts.map(([name, count]) => {
            const [stage = '', kind = ''] = name.split('/');
            return (
              <tr key={name}>
                <td>
                  <Link
                    to="/runs/$run"
                    params={{ run }}
                    search={{ status: ['errored'], stage, kind }}
                    hash="trials"
                  >
                    {safeText(kind)}
                  </Link>{' '}
                  <span className="quiet">{safeText(stage)}</span>
                </td>
                <td className="number">{count}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
