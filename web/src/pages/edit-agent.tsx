import { useParams } from '@tanstack/react-router';

import { DESCRIPTION_FIELDS, storedDescription } from '../agents/agent-fields.ts';
import { useSend } from '../session/use-send.ts';
import { AgentFormPage } from './agent/form-page.tsx';

/** The description of an agent. */
export function EditAgentPage() {
  const { id } = useParams({ from: '/agents/$id/edit' });
  const send = useSend();
  return (
    <AgentFormPage
      id={id}
      part="description"
      title="Describe the agent"
      fields={DESCRIPTION_FIELDS}
      submit="Save"
      storedIn={({ agent }) => storedDescription(agent)}
      save={async ({ description = '' }, ifMatch) => {
        const body = { description: description === '' ? null : description };
        await send<'changeAgent'>(['PATCH', '/agents/{id}'], { path: { id }, body }, { ifMatch });
        return 'saved';
      }}
    />
  );
}
