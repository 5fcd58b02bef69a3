import { useParams } from '@tanstack/react-router';

import { MOCK_FIELDS, storedMocks } from '../agents/agent-fields.ts';
import { useSend } from '../session/use-send.ts';
import { AgentFormPage } from './agent/form-page.tsx';

/** The tool mocks of an agent. */
export function AgentMocksPage() {
  const { id } = useParams({ from: '/agents/$id/mocks' });
  const send = useSend();
  return (
    <AgentFormPage
      id={id}
      part="mocks"
      title="Tool mocks"
      fields={MOCK_FIELDS}
      submit="Save"
      storedIn={storedMocks}
      save={async ({ mocks = '' }, ifMatch) => {
        const body = mocks.trim() === '' ? [] : JSON.parse(mocks);
        const place = ['PUT', '/agents/{id}/mocks'] as const;
        await send<'replaceAgentMocks'>(place, { path: { id }, body }, { ifMatch });
        return 'saved';
      }}
    />
  );
}
