import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

import { ROLES, type Role } from '../../../src/core/access.ts';
import type { FormField, Texts } from '../form/form-field.ts';
import type { KeptEdit } from '../form/kept-edit.ts';
import { TextForm } from '../form/text-form.tsx';
import { Back } from '../parts/back.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useSend } from '../session/use-send.ts';

const FIELDS: readonly FormField[] = [
  { name: 'email', title: 'E-mail address', kind: 'line', help: 'Nothing is sent to it.' },
  { name: 'role', title: 'Role', kind: 'choice', choices: ROLES, help: 'The most that its tokens may do.' },
];

const TEXTS: Texts = { email: '', role: 'viewer' };
const NEW: KeptEdit<Texts> = { now: TEXTS, base: TEXTS, version: '' };

/** Somebody who may use the server from now on. */
export function NewAccountPage() {
  useTitle('New account');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const send = useSend();
  return (
    <>
      <Back to="/settings">Settings</Back>
      <h1>New account</h1>
      <TextForm
        name="new account"
        fields={FIELDS}
        stored={NEW}
        submit="Create"
        save={async ({ email = '', role }) => {
          const body = { email, role: role as Role };
          await send<'createAccount'>(['POST', '/accounts'], { path: {}, body });
          await queries.invalidateQueries({ queryKey: ['accounts'] });
          return 'saved';
        }}
        onSaved={() => void navigate({ to: '/settings' })}
      />
    </>
  );
}
