import { agentDifference, type Change } from '../../../../src/reading/agent-difference.ts';
import type { ChangedLine } from '../../../../src/reading/line-changes.ts';
import { useAgentVersion } from '../../agents/queries.ts';
import { jsonText } from '../../parts/json.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { shownLines } from './shown-lines.ts';

interface DifferenceProps {
  readonly id: string;
  readonly newest: number;
  readonly from: number;
  readonly to: number;
  readonly onChoose: (versions: { readonly from: number; readonly version: number }) => void;
}

/** What differs between two versions: the prompt by line, the tools by name, and the other keys. */
export function Difference({ id, newest, from, to, onChoose }: DifferenceProps) {
  const [before, after] = [useAgentVersion(id, from), useAgentVersion(id, to)];
  const error = before.error ?? after.error;
  return (
    <section aria-labelledby="difference">
      <h2 id="difference">Difference of two versions</h2>
      <div className="tools" role="group" aria-label="Versions">
        <Choice
          label="From version"
          newest={newest}
          chosen={from}
          onChoose={(version) => onChoose({ from: version, version: to })}
        />
        <Choice
          label="To version"
          newest={newest}
          chosen={to}
          onChoose={(version) => onChoose({ from, version })}
        />
      </div>
      {error === null ? null : <Failed error={error} />}
      {before.isPending || after.isPending ? <Loading what="both versions" /> : null}
      {before.data === undefined || after.data === undefined ? null : (
        <Differences {...agentDifference(before.data.config, after.data.config)} />
      )}
    </section>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly newest: number;
  readonly chosen: number;
  readonly onChoose: (version: number) => void;
}

function Choice({ label, newest, chosen, onChoose }: ChoiceProps) {
  return (
    <label>
      <span>{label}</span>
      <select value={chosen} onChange={({ target }) => onChoose(Number(target.value))}>
        {Array.from({ length: newest }, (_, at) => newest - at).map((version) => (
          <option key={version}>{version}</option>
        ))}
      </select>
    </label>
  );
}

function Differences({ prompt, tools, keys }: ReturnType<typeof agentDifference>) {
  if (prompt.length + tools.length + keys.length === 0) return <Empty>Both versions are the same.</Empty>;
  return (
    <>
      {prompt.length === 0 ? null : (
        <div className="part">
          <h3>System prompt</h3>
          <Lines of={prompt} />
        </div>
      )}
      <Changes title="Tools" of={tools} />
      <Changes title="Other keys" of={keys} />
    </>
  );
}

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;

function Lines({ of }: { readonly of: readonly ChangedLine[] }) {
  return (
    <div className="panel lines">
      {shownLines(of).map((line, at) =>
        typeof line === 'number' ? (
          <p key={at} className="quiet">
            {line === 1 ? 'one line' : `${line} lines`} without a change
          </p>
        ) : (
          <pre key={at} className={line.change}>
            <span aria-hidden="true">{SIGNS[line.change]} </span>
            {line.change === 'same' ? null : <span className="hidden">{line.change}: </span>}
            {safeText(line.text)}
          </pre>
        ),
      )}
    </div>
  );
}

function Changes({ title, of }: { readonly title: string; readonly of: readonly Change[] }) {
  if (of.length === 0) return null;
  return (
    <div className="part">
      <h3>{title}</h3>
      <ul className="list">
        {of.map(({ name, before, after }) => (
          <li key={name}>
            <p>
              <code>{safeText(name)}</code>{' '}
              <span className="quiet">
                {before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'}
              </span>
            </p>
            <div className="sides">
              {before === undefined ? null : (
                <div className="part">
                  <p className="quiet">Before</p>
                  <LongText isCode text={jsonText(before)} most={1000} />
                </div>
              )}
              {after === undefined ? null : (
                <div className="part">
                  <p className="quiet">After</p>
                  <LongText isCode text={jsonText(after)} most={1000} />
                </div>
              )}
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
