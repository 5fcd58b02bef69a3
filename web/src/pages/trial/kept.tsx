import type { WholeTrial } from '../../../../src/api/resources/trial.ts';
import { addressOf } from '../../../../src/api/client.ts';
import { durationText } from '../../../../src/reading/phrases.ts';
import { Json } from '../../parts/json.tsx';
import { lineText } from '../../parts/cut.ts';
import { safeText } from '../../parts/safe-text.ts';

interface KeptProps {
  readonly run: string;
  readonly trial: WholeTrial;
}

/** What stays of a trial: its attempts, artifacts, and copies of what graded it. */
export function Kept({ run, trial }: KeptProps) {
  return (
    <>
      <Attempts trial={trial} />
      <Answer run={run} trial={trial} />
      <Artifacts run={run} trial={trial} />
      {trial.frozen.length === 0 ? null : (
        <section aria-labelledby="frozen">
          <h2 id="frozen">Frozen copies</h2>
          <p className="quiet">What this trial was run and graded with, as it was then.</p>
          {trial.frozen.map(({ digest, kind, body }) => (
            <Json key={`${kind} ${digest}`} title={`${kind} ${digest.slice(0, 12)}`} value={body} />
          ))}
        </section>
      )}
    </>
  );
}

const ATTACHMENT = '/api/v1/attachments/{sha256}';

/** An answer that was too large for its row. */
function Answer({ run, trial: { row } }: KeptProps) {
  const { output } = row;
  if (output === null || typeof output === 'string') return null;
  const address = addressOf(ATTACHMENT, { path: { sha256: output.attachment }, query: { run } });
  return (
    <section aria-labelledby="answer">
      <h2 id="answer">Answer</h2>
      <p>
        <a href={address} download>
          Download the whole answer
        </a>
        <small> {output.bytes.toLocaleString('en')} bytes</small>
      </p>
    </section>
  );
}

function Attempts({ trial: { row } }: { readonly trial: WholeTrial }) {
  if (row.attempts.length < 2) return null;
  return (
    <section aria-labelledby="attempts">
      <h2 id="attempts">Attempts</h2>
      <ol className="plain-list">
        {row.attempts.map(({ error, durationMs }, i) => (
          <li key={i}>
            Attempt {i + 1}, {durationText(durationMs)}
            {error === undefined ? null : (
              <small>
                {' '}
                {safeText(error.kind)} ({safeText(error.stage)}): {safeText(lineText(error.message))}
              </small>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

const ARTIFACT = '/api/v1/runs/{run}/trials/{trial}/attempts/{attempt}/artifacts/{name}';

function Artifacts({ run, trial }: KeptProps) {
  if (trial.artifacts.length === 0) return null;
  return (
    <section aria-labelledby="artifacts">
      <h2 id="artifacts">Artifacts</h2>
      <ul className="plain-list">
        {trial.artifacts.map(({ attempt, name, bytes }) => {
          const path = { run, trial: String(trial.number), attempt: String(attempt), name };
          return (
            <li key={`${attempt} ${name}`}>
              <a href={addressOf(ARTIFACT, { path })} download={name.split('/').at(-1)}>
                {safeText(name)}
              </a>
              <small>
                {' '}
                attempt {attempt}, {bytes.toLocaleString('en')} bytes
              </small>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
