import { useParams, useSearch } from '@tanstack/react-router';

import { configIn, storedVersion, VERSION_FIELDS } from '../agents/agent-fields.ts';
import { api } from '../api.ts';
import { useSend } from '../session/use-send.ts';
import { AgentFormPage } from './agent/form-page.tsx';
import { useRunAgain } from './new-run/use-run-again.ts';

/** The next version of an agent, which begins with the newest one. */
export function NewVersionPage() {
  const { id } = useParams({ from: '/agents/$id/versions/new' });
  const { again } = useSearch({ from: '/agents/$id/versions/new' });
  const runAgain = useRunAgain(again);
  const send = useSend();
  const path = { id };
  return (
    <AgentFormPage
      id={id}
      part="version"
      title="New version"
      fields={VERSION_FIELDS}
      submit={again === undefined ? 'Add version' : 'Add version, then run again'}
      {...(again === undefined ? {} : { onSaved: () => runAgain(id) })}
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
