import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';

import type { AccountResource } from '../../../../src/api/resources/account.ts';
import { ROLES, type Role } from '../../../../src/core/access.ts';
import { lineText } from '../../parts/cut.ts';
import { Name } from '../../parts/name.tsx';
import { Refused } from '../../session/refused.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Time } from '../../parts/time.tsx';
import { useAction } from '../../session/use-action.ts';
import { useSend } from '../../session/use-send.ts';
import { useAccounts } from '../../settings/queries.ts';

const COLUMNS = ['Account', 'Since', 'State', 'Role', 'Actions'];

/** Everybody on a server without authentication. It cannot be changed. */
const LOCAL = 'local';

interface AccountChange {
  readonly role?: Role;
  readonly disabled?: boolean;
}

/** Who may use the server, for admins. */
export function Accounts() {
  const accounts = useAccounts();
  const queries = useQueryClient();
  const send = useSend();
  const { act, isBusy, error } = useAction();
  const change = (account: string, body: AccountChange) =>
    act(async () => {
      await send<'changeAccount'>(['PATCH', '/accounts/{account}'], { path: { account }, body });
      await queries.invalidateQueries({ queryKey: ['accounts'] });
    });
  return (
    <section aria-labelledby="accounts">
      <div className="row between">
        <h2 id="accounts">Accounts</h2>
        <Link className="button" to="/settings/accounts/new">
          New account
        </Link>
      </div>
      <PagedTable of={accounts} what="accounts" label="Accounts" columns={COLUMNS} empty={null}>
        {(account) => (
          <AccountRow
            key={account.id}
            of={account}
            isBusy={isBusy}
            onChange={(body) => void change(account.id, body)}
          />
        )}
      </PagedTable>
      <Refused what="Not changed" error={error} />
    </section>
  );
}

interface AccountRowProps {
  readonly of: AccountResource;
  readonly isBusy: boolean;
  readonly onChange: (body: AccountChange) => void;
}

function AccountRow({ of, isBusy, onChange }: AccountRowProps) {
  const isDisabled = of.disabled_at !== null;
  if (of.email === LOCAL) return <LocalRow of={of} />;
  const name = safeText(lineText(of.email, 80));
  return (
    <tr>
      <th scope="row">
        <Name text={of.email} />
      </th>
      <td className="keep">
        <Time at={of.created_at} />
      </td>
      <td>{isDisabled ? 'disabled' : 'active'}</td>
      <td>
        <RoleChoice of={of} name={name} isBusy={isBusy} onChange={onChange} />
      </td>
      <td>
        <button
          type="button"
          aria-label={`${isDisabled ? 'Enable' : 'Disable'} ${name}`}
          aria-disabled={isBusy}
          onClick={() => onChange({ disabled: !isDisabled })}
        >
          {isDisabled ? 'Enable' : 'Disable'}
        </button>
      </td>
    </tr>
  );
}

interface RoleChoiceProps extends AccountRowProps {
  /** Of the account. */
  readonly name: string;
}

/** The role, and a button that saves another one. */
function RoleChoice({ of, name, isBusy, onChange }: RoleChoiceProps) {
  const field = useRef<HTMLSelectElement>(null);
  const isSaving = useRef(false);
  const [chosen, setChosen] = useState({ role: of.role, before: of.role });
  const role = chosen.before === of.role ? chosen.role : of.role;
  useEffect(() => {
    // The button is gone once the role is saved.
    if (isSaving.current && document.activeElement === document.body) field.current?.focus();
    isSaving.current = false;
  }, [of.role]);
  const save = () => {
    isSaving.current = true;
    onChange({ role });
  };
  return (
    <span className="row">
      <select
        ref={field}
        aria-label={`Role of ${name}`}
        value={role}
        onChange={({ target }) => setChosen({ role: target.value as Role, before: of.role })}
      >
        {ROLES.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      {role === of.role ? null : (
        <button type="button" aria-disabled={isBusy} onClick={save}>
          Save role
        </button>
      )}
    </span>
  );
}

function LocalRow({ of }: { readonly of: AccountResource }) {
  return (
    <tr>
      <th scope="row">
        {of.email}
        <small>everybody, while nobody has to sign in</small>
      </th>
      <td className="keep">
        <Time at={of.created_at} />
      </td>
      <td>active</td>
      <td>{of.role}</td>
      <td>none</td>
    </tr>
  );
}
