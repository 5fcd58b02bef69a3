import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';

import { TextForm } from '../form/text-form.tsx';
import { Answered } from '../parts/answered.tsx';
import { Back } from '../parts/back.tsx';
import { lineText } from '../parts/cut.ts';
import { useTitle } from '../parts/use-title.ts';
import { useSend } from '../session/use-send.ts';
import { refreshSets, wholeSetQuery } from '../sets/queries.ts';
import { SET_FIELDS, setBody, storedSet } from '../sets/set-fields.ts';

/** The name and the description of a set. */
export function EditSetPage() {
  const { id } = useParams({ from: '/sets/$id/edit' });
  const queries = useQueryClient();
  const navigate = useNavigate();
  const send = useSend();
  const whole = useQuery(wholeSetQuery(id));
  useTitle(`Edit ${lineText(whole.data?.set.name ?? 'a set', 80)}`);
  return (
    <>
      <Back to="/sets/$id" params={{ id }}>
        Set
      </Back>
      <h1>Edit the set</h1>
      <Answered of={whole} what="the set">
        {(data) => (
          <TextForm
            key={id}
            name={`set ${id}`}
            fields={SET_FIELDS}
            stored={storedSet(data.set)}
            again={async () =>
              storedSet((await queries.fetchQuery({ ...wholeSetQuery(id), staleTime: 0 })).set)
            }
            submit="Save"
            save={async (texts, ifMatch) => {
              const sent = { path: { id }, body: setBody(texts) };
              await send<'changeCaseSet'>(['PATCH', '/case-sets/{id}'], sent, { ifMatch });
              await refreshSets(queries, id);
              return 'saved';
            }}
            onSaved={() => void navigate({ to: '/sets/$id', params: { id } })}
          />
        )}
      </Answered>
    </>
  );
}
