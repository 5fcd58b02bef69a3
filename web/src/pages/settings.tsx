import type { Settings } from '../../../src/api/resources/settings.ts';
import { Fact } from '../parts/facts.tsx';
import { safeText } from '../parts/safe-text.ts';
import { Failed, Loading } from '../parts/states.tsx';
import { useRowKeys } from '../parts/use-keys.ts';
import { useTitle } from '../parts/use-title.ts';
import { useMay, useSession } from '../session/use-session.ts';
import { useSettingsNow } from '../settings/queries.ts';
import { Accounts } from './settings/accounts.tsx';
import { Metrics } from './settings/metrics.tsx';
import { Tokens } from './settings/tokens.tsx';
import { Workers } from './settings/workers.tsx';

/** The server, its judge metrics, and who may use it. */
export function SettingsPage() {
  useTitle('Settings');
  useRowKeys();
  const settings = useSettingsNow();
  const hasSession = useSession() !== undefined;
  const mayManage = useMay('admin');
  return (
    <>
      <h1>Settings</h1>
      {settings.isPending ? <Loading what="settings" /> : null}
      {settings.isError ? <Failed error={settings.error} /> : null}
      {settings.data === undefined ? null : <Server of={settings.data} />}
      {hasSession ? (
        <>
          <Workers />
          <Metrics />
          <Tokens />
        </>
      ) : null}
      {mayManage ? <Accounts /> : null}
    </>
  );
}

function Server({ of }: { readonly of: Settings }) {
  return (
    <section aria-labelledby="server">
      <h2 id="server">Server</h2>
      {of.auth === 'none' ? (
        <p className="note">
          No authentication: every program on this machine may use this server. Start it with{' '}
          <code>--auth token</code> to make people sign in.
        </p>
      ) : null}
      {of.config_changed ? (
        <p className="note">
          The config file was changed after this server started. Restart the server to use it.
        </p>
      ) : null}
      <dl className="facts">
        <Fact title="Project">{safeText(of.project)}</Fact>
        <Fact title="Version of assay">{of.version}</Fact>
        <Fact title="Authentication">{of.auth === 'none' ? 'none' : 'tokens'}</Fact>
        <Fact title="Database">{safeText(of.database ?? 'none')}</Fact>
        <Fact title="Config">
          {of.config_changed ? 'changed since the start' : 'not changed since the start'}
        </Fact>
        <Fact title="Targets of the config">
          {of.targets.length === 0 ? 'none' : safeText(of.targets.join(', '))}
        </Fact>
      </dl>
    </section>
  );
}
