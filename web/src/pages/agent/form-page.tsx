import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

import { refreshAgents, wholeAgentQuery, type WholeAgent } from '../../agents/queries.ts';
import type { FormField, Texts } from '../../form/form-field.ts';
import type { KeptEdit } from '../../form/kept-edit.ts';
import { TextForm } from '../../form/text-form.tsx';
import { Answered } from '../../parts/answered.tsx';
import { Back } from '../../parts/back.tsx';
import { lineText } from '../../parts/cut.ts';
import { useTitle } from '../../parts/use-title.ts';

interface AgentFormPageProps {
  readonly id: string;
  /** What is edited, for its copy in this tab. */
  readonly part: string;
  readonly title: string;
  readonly fields: readonly FormField[];
  readonly submit: string;
  readonly storedIn: (whole: WholeAgent) => KeptEdit<Texts>;
  readonly save: (texts: Texts, version: string) => Promise<'saved' | 'stale'>;
  /** Absent: the page of the agent is opened. */
  readonly onSaved?: () => void | Promise<void>;
}

/** A page that changes a part of an agent. */
export function AgentFormPage({ id, part, title, storedIn, save, onSaved, ...form }: AgentFormPageProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const whole = useQuery(wholeAgentQuery(id));
  useTitle(`${title}: ${lineText(whole.data?.agent.name ?? 'agent', 80)}`);
  return (
    <>
      <Back to="/agents/$id" params={{ id }}>
        Agent
      </Back>
      <h1>{title}</h1>
      <Answered of={whole} what="the agent">
        {(data) => (
          <TextForm
            key={id}
            {...form}
            name={`agent ${id} ${part}`}
            stored={storedIn(data)}
            again={async () => storedIn(await queries.fetchQuery({ ...wholeAgentQuery(id), staleTime: 0 }))}
            save={async (texts, version) => {
              const outcome = await save(texts, version);
              if (outcome === 'saved') await refreshAgents(queries, id);
              return outcome;
            }}
            onSaved={onSaved ?? (() => void navigate({ to: '/agents/$id', params: { id } }))}
          />
        )}
      </Answered>
    </>
  );
}
