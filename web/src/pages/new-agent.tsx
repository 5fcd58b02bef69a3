import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';

import { AGENT_FIELDS, agentBody, NEW_AGENT } from '../agents/agent-fields.ts';
import { TextForm } from '../form/text-form.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useSend } from '../session/use-send.ts';

/** An agent that is written here, with its first version. */
export function NewAgentPage() {
  useTitle('New agent');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const send = useSend();
  const made = useRef('');
  return (
    <>
      <p className="path">
        <Link to="/agents">← Agents</Link>
      </p>
      <h1>New agent</h1>
      <TextForm
        name="new agent"
        fields={AGENT_FIELDS}
        stored={NEW_AGENT}
        again={async () => NEW_AGENT}
        submit="Create"
        save={async (texts) => {
          const body = agentBody(texts);
          const { answer } = await send<'createAgent'>(['POST', '/agents'], { path: {}, body });
          made.current = answer.id;
          void queries.invalidateQueries({ queryKey: ['agents'] });
          return 'saved';
        }}
        onSaved={() => void navigate({ to: '/agents/$id', params: { id: made.current } })}
      />
    </>
  );
}
