import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';

import { TextForm } from '../form/text-form.tsx';
import { Back } from '../parts/back.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useSend } from '../session/use-send.ts';
import { refreshSets } from '../sets/queries.ts';
import { NEW_SET, SET_FIELDS, setBody } from '../sets/set-fields.ts';

/** A set that is written here. */
export function NewSetPage() {
  useTitle('New set');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const send = useSend();
  const made = useRef('');
  return (
    <>
      <Back to="/sets">Sets</Back>
      <h1>New set</h1>
      <TextForm
        name="new set"
        fields={SET_FIELDS}
        stored={NEW_SET}
        submit="Create"
        save={async (texts) => {
          const body = setBody(texts);
          const { answer } = await send<'createCaseSet'>(['POST', '/case-sets'], { path: {}, body });
          made.current = answer.id;
          void refreshSets(queries);
          return 'saved';
        }}
        onSaved={() => void navigate({ to: '/sets/$id', params: { id: made.current } })}
      />
    </>
  );
}
