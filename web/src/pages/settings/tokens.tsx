import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import type { TokenResource } from '../../../../src/api/resources/token.ts';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { lineText } from '../../parts/cut.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Name } from '../../parts/name.tsx';
import { Refused } from '../../session/refused.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { ShowMore } from '../../parts/show-more.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { useAction } from '../../session/use-action.ts';
import { useSend } from '../../session/use-send.ts';
import { useMay } from '../../session/use-session.ts';
import { useTokens } from '../../settings/queries.ts';

const COLUMNS = ['Token', 'Role', 'Last used', 'State', 'Actions'];

/** The API tokens: for admins those of all accounts, for others their own. */
export function Tokens() {
  const tokens = useTokens();
  const found = tokens.data?.pages.flatMap(({ data }) => data) ?? [];
  const queries = useQueryClient();
  const send = useSend();
  const { act, isBusy, error } = useAction();
  const mayWrite = useMay('member');
  const revoke = (id: string) =>
    act(async () => {
      await send<'revokeToken'>(['DELETE', '/tokens/{id}'], { path: { id } });
      await queries.invalidateQueries({ queryKey: ['tokens'] });
    });
  return (
    <section aria-labelledby="tokens">
      <div className="row between">
        <h2 id="tokens">API tokens</h2>
        {mayWrite ? (
          <Link className="button" to="/settings/tokens/new">
            New token
          </Link>
        ) : null}
      </div>
      {tokens.isPending ? <Loading what="tokens" /> : null}
      {tokens.isError ? <Failed error={tokens.error} /> : null}
      {tokens.data === undefined ? null : found.length === 0 ? (
        <Empty>No tokens yet. Programs and people sign in with one.</Empty>
      ) : (
        <DataTable label="API tokens" columns={COLUMNS}>
          {found.map((token) => (
            <TokenRow
              key={token.id}
              of={token}
              isBusy={isBusy}
              onRevoke={mayWrite ? () => void revoke(token.id) : undefined}
            />
          ))}
        </DataTable>
      )}
      <Refused what="Not changed" error={error} />
      <ShowMore of={tokens} what="tokens" />
    </section>
  );
}

interface TokenRowProps {
  readonly of: TokenResource;
  readonly isBusy: boolean;
  /** Absent: the role may not revoke tokens. */
  readonly onRevoke: (() => void) | undefined;
}

function TokenRow({ of, isBusy, onRevoke }: TokenRowProps) {
  return (
    <tr>
      <th scope="row">
        <Name text={of.name} />
        <small>
          <Name text={of.email} />
        </small>
      </th>
      <td>{of.role}</td>
      <td className="keep">{of.last_used_at === null ? 'never' : <Time at={of.last_used_at} />}</td>
      <td>
        <TokenState of={of} />
      </td>
      <td>
        {of.state !== 'revoked' && onRevoke !== undefined ? (
          <ConfirmedButton
            text="Revoke"
            whole={`Revoke ${safeText(lineText(of.name, 80))}`}
            isBusy={isBusy}
            onConfirm={onRevoke}
          />
        ) : (
          'none'
        )}
      </td>
    </tr>
  );
}

/** By the clock of the server: that of the browser may be wrong. */
function TokenState({ of: { state, expires_at: end } }: { readonly of: TokenResource }) {
  if (state === 'revoked') return 'revoked';
  if (end === null) return 'valid';
  return (
    <>
      {state === 'expired' ? 'expired' : 'valid until'} <Time at={end} />
    </>
  );
}
