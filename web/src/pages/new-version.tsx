import { useParams } from '@tanstack/react-router';

import { configIn, storedVersion, VERSION_FIELDS } from '../agents/agent-fields.ts';
import { api } from '../api.ts';
import { useSend } from '../session/use-send.ts';
import { AgentFormPage } from './agent/form-page.tsx';

/** The next version of an agent, which begins with the newest one. */
export function NewVersionPage() {
  const { id } = useParams({ from: '/agents/$id/versions/new' });
  const send = useSend();
  const path = { id };
  return (
    <AgentFormPage
      id={id}
      part="version"
      title="New version"
      fields={VERSION_FIELDS}
      submit="Add version"
      storedIn={({ agent }) => storedVersion(agent)}
      save={async (texts, base) => {
        // Versions have no ETag: who was faster is seen by the number of the newest one.
        const { version: newest } = await api<'getAgent'>('/agents/{id}', { path });
        if (String(newest) !== base) return 'stale';
        const note = texts['note'] ?? '';
        const body = { config: configIn(texts), note: note === '' ? null : note };
        const { answer } = await send<'addAgentVersion'>(['POST', '/agents/{id}/versions'], { path, body });
        if (answer.version > newest) return 'saved';
        throw new Error(`the config is the same as in version ${newest}, so no version was added`);
      }}
    />
  );
}
