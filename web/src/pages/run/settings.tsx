import type { RunResource } from '../../../../src/api/resources/run.ts';
import { STORED_SUITE } from '../../../../src/core/test-case.ts';
import { Fact } from '../../parts/facts.tsx';
import { Json } from '../../parts/json.tsx';
import { safeText } from '../../parts/safe-text.ts';

/** What was run, by what, with which settings. */
export function Settings({ run: { manifest } }: { readonly run: RunResource }) {
  if (manifest === null) return null;
  const { command, git, seed, settings, suites, targets, versions } = manifest;
  return (
    <section aria-labelledby="settings">
      <h2 id="settings">Settings</h2>
      <dl className="facts">
        {command[0] === 'serve' ? (
          <Fact title="Started">in the dashboard, or over the API of the server</Fact>
        ) : (
          <Fact title="Command">
            <code>{safeText(['assay', ...command].join(' '))}</code>
          </Fact>
        )}
        {suites.map(({ id, file, cases }) => (
          <Fact key={id} title="Suite">
            {id === STORED_SUITE ? 'Stored test cases' : safeText(file)}, {cases}{' '}
            {cases === 1 ? 'case' : 'cases'}
          </Fact>
        ))}
        {git === undefined ? null : (
          <Fact title="Commit">
            <span className="mono">{safeText(git.commit.slice(0, 10))}</span>
            {git.dirty ? ' with local changes' : ''}
          </Fact>
        )}
        <Fact title="Seed">{seed}</Fact>
      </dl>
      <Json title="All settings" value={settings} />
      {targets.map(({ name, config }) => (
        <Json key={name} title={`Target ${safeText(name)}`} value={config} />
      ))}
      {Object.keys(versions).length === 0 ? null : <Json title="Versions" value={{ ...versions }} />}
    </section>
  );
}
