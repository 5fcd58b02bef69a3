import { useQueryClient } from '@tanstack/react-query';

import type { TokenResource } from '../../../../src/api/resources/token.ts';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { lineText } from '../../parts/cut.ts';
import { Name } from '../../parts/name.tsx';
import { Refused } from '../../session/refused.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Empty } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { useAction } from '../../session/use-action.ts';
import { useSend } from '../../session/use-send.ts';
import { AddLink } from '../../session/add-link.tsx';
import { useMay } from '../../session/use-session.ts';
import { useTokens } from '../../settings/queries.ts';

const COLUMNS = ['Token', 'Role', 'Last used', 'State', 'Actions'];

/** The API tokens: for admins those of all accounts, for others their own. */
export function Tokens() {
  const tokens = useTokens();
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
        <AddLink to="/settings/tokens/new">New token</AddLink>
      </div>
      <PagedTable
        of={tokens}
        what="tokens"
        label="API tokens"
        columns={COLUMNS}
        empty={<Empty>No tokens yet. Programs and people sign in with one.</Empty>}
      >
        {(token) => (
          <TokenRow
            key={token.id}
            of={token}
            isBusy={isBusy}
            onRevoke={mayWrite ? () => void revoke(token.id) : undefined}
          />
        )}
      </PagedTable>
      <Refused what="Not changed" error={error} />
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
