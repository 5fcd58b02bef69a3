import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';

import { AGENT_FIELDS, agentBody, NEW_AGENT, newAgentOf } from '../agents/agent-fields.ts';
import { configTargetsQuery } from '../agents/queries.ts';
import type { Texts } from '../form/form-field.ts';
import type { KeptEdit } from '../form/kept-edit.ts';
import { TextForm } from '../form/text-form.tsx';
import { Back } from '../parts/back.tsx';
import { safeText } from '../parts/safe-text.ts';
import { Failed, Loading } from '../parts/states.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useSend } from '../session/use-send.ts';
import { NoAgentOf } from './new-agent/no-agent-of.tsx';
import { useRunAgain } from './new-run/use-run-again.ts';

/** An agent that is written here, or made of a target of the config, with its first version. */
export function NewAgentPage() {
  useTitle('New agent');
  const { target } = useSearch({ from: '/agents/new' });
  return (
    <>
      <Back to="/agents">Agents</Back>
      <h1>{target === undefined ? 'New agent' : `New agent made of ${safeText(target)}`}</h1>
      {target === undefined ? (
        <AgentForm name="new agent" stored={NEW_AGENT} mocks={NO_MOCKS} />
      ) : (
        <OfTarget key={target} target={target} />
      )}
    </>
  );
}

const NO_MOCKS: readonly object[] = [];

function OfTarget({ target: name }: { readonly target: string }) {
  const targets = useQuery(configTargetsQuery);
  if (targets.isPending) return <Loading what="the target" />;
  if (targets.isError) return <Failed error={targets.error} />;
  const target = targets.data.find((each) => each.name === name);
  if (target === undefined || target.agent === null) return <NoAgentOf name={name} target={target} />;
  const { config, mocks } = target.agent;
  return (
    <>
      <p className="note">
        Everything is filled in as in the config. Change what you like, such as the system prompt. The target{' '}
        {safeText(name)} itself stays as it is.
        {mocks.length === 0 ? '' : ' Its tool mocks are taken over, too.'}
      </p>
      <AgentForm name={`new agent of ${name}`} stored={newAgentOf(name, config)} mocks={mocks} />
    </>
  );
}

interface AgentFormProps {
  /** Of the copy in this tab. */
  readonly name: string;
  readonly stored: KeptEdit<Texts>;
  readonly mocks: readonly object[];
}

function AgentForm({ name, stored, mocks }: AgentFormProps) {
  const { again } = useSearch({ from: '/agents/new' });
  const runAgain = useRunAgain(again);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const send = useSend();
  const made = useRef<string>(undefined);
  const make = async (texts: Texts): Promise<string> => {
    const body = agentBody(texts);
    const { answer } = await send<'createAgent'>(['POST', '/agents'], { path: {}, body });
    void queries.invalidateQueries({ queryKey: ['agents'] });
    return answer.id;
  };
  return (
    <TextForm
      name={name}
      fields={AGENT_FIELDS}
      stored={stored}
      submit={again === undefined ? 'Create' : 'Create, then run again'}
      save={async (texts) => {
        made.current ??= await make(texts);
        if (mocks.length > 0) {
          const sent = { path: { id: made.current }, body: mocks };
          await send<'replaceAgentMocks'>(['PUT', '/agents/{id}/mocks'], sent, { ifMatch: '*' });
        }
        return 'saved';
      }}
      onSaved={async () => {
        const { current: id = '' } = made;
        if (again === undefined) void navigate({ to: '/agents/$id', params: { id } });
        else await runAgain(id);
      }}
    />
  );
}
