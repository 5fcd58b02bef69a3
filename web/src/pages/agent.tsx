import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';

import type { AgentResource } from '../../../src/api/resources/agent.ts';
import type { JsonValue } from '../../../src/lib/json.ts';
import { agentPrompt } from '../../../src/reading/agent-prompt.ts';
import { refreshAgents, useAgentVersion, wholeAgentQuery, type WholeAgent } from '../agents/queries.ts';
import { Answered } from '../parts/answered.tsx';
import { Back } from '../parts/back.tsx';
import { lineText } from '../parts/cut.ts';
import { Fact } from '../parts/facts.tsx';
import { jsonText } from '../parts/json.tsx';
import { LongText } from '../parts/long-text.tsx';
import { Refused } from '../session/refused.tsx';
import { safeText } from '../parts/safe-text.ts';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useAction } from '../session/use-action.ts';
import { useRowKeys } from '../parts/use-keys.ts';
import { useTitle } from '../parts/use-title.ts';
import { useSend } from '../session/use-send.ts';
import { AddLink } from '../session/add-link.tsx';
import { useMay } from '../session/use-session.ts';
import { Difference } from './agent/difference.tsx';
import { Probe } from './agent/probe.tsx';
import { Versions } from './agent/versions.tsx';

/** An agent with its versions. The address says which ones are shown. */
export function AgentPage() {
  useRowKeys();
  const { id } = useParams({ from: '/agents/$id' });
  const whole = useQuery(wholeAgentQuery(id));
  useTitle(lineText(whole.data?.agent.name ?? 'Agent', 80));
  return (
    <>
      <Back to="/agents">Agents</Back>
      {whole.data === undefined ? <h1>Agent</h1> : null}
      <Answered of={whole} what="the agent">
        {(data) => <Whole key={id} of={data} />}
      </Answered>
    </>
  );
}

function Whole({ of: { agent, mocks } }: { readonly of: WholeAgent }) {
  const { id, version: newest } = agent;
  const { version = newest, from = Math.max(version - 1, 1) } = useSearch({ from: '/agents/$id' });
  const navigate = useNavigate({ from: '/agents/$id' });
  const mayWrite = useMay('member');
  return (
    <>
      <Head of={agent} />
      <Facts of={agent} />
      {agent.description === null ? null : <LongText text={agent.description} />}
      <Config id={id} version={version} />
      {mayWrite && agent.archived_at === null ? <Probe key={version} id={id} version={version} /> : null}
      <Versions id={id} shown={version} />
      {newest === 1 ? null : (
        <Difference
          id={id}
          newest={newest}
          from={from}
          to={version}
          onChoose={(next) => void navigate({ search: next, replace: true, resetScroll: false })}
        />
      )}
      <section aria-labelledby="mocks">
        <div className="row between">
          <h2 id="mocks">Tool mocks</h2>
          <AddLink to="/agents/$id/mocks" params={{ id }}>
            Edit the mocks
          </AddLink>
        </div>
        {mocks.length === 0 ? (
          <Empty>No mocks. They answer tool calls of the agent in place of real tools.</Empty>
        ) : (
          <LongText isCode text={jsonText(mocks as readonly JsonValue[])} />
        )}
      </section>
    </>
  );
}

function Head({
  of: { id, name, archived_at: archivedAt, updated_at: ifMatch },
}: {
  readonly of: AgentResource;
}) {
  const mayWrite = useMay('member');
  const queries = useQueryClient();
  const send = useSend();
  const { act, isBusy, error } = useAction();
  const change = () =>
    act(async () => {
      const sent = { path: { id }, body: { archived: archivedAt === null } };
      await send<'changeAgent'>(['PATCH', '/agents/{id}'], sent, { ifMatch });
      await refreshAgents(queries, id);
    });
  return (
    <>
      <div className="row between">
        <h1>{safeText(name)}</h1>
        {mayWrite ? (
          <span className="row">
            {archivedAt === null ? (
              <Link className="button" to="/runs/new" search={{ agent: id }}>
                Run test cases
              </Link>
            ) : null}
            <Link className="button" to="/agents/$id/versions/new" params={{ id }}>
              New version
            </Link>
            <Link className="button" to="/agents/$id/edit" params={{ id }}>
              Describe
            </Link>
            <button type="button" aria-disabled={isBusy} onClick={() => void change()}>
              {archivedAt === null ? 'Archive' : 'Take back'}
            </button>
          </span>
        ) : null}
      </div>
      <Refused what="Not changed" error={error} />
    </>
  );
}

function Facts({ of }: { readonly of: AgentResource }) {
  return (
    <dl className="facts">
      <Fact title="State">{of.archived_at === null ? 'in use' : 'archived: no new run can use it'}</Fact>
      <Fact title="Newest version">{of.version}</Fact>
      <Fact title="Created">
        <Time at={of.created_at} />
      </Fact>
      <Fact title="Changed">
        <Time at={of.updated_at} />
      </Fact>
    </dl>
  );
}

function Config({ id, version }: { readonly id: string; readonly version: number }) {
  const { data, error, isPending } = useAgentVersion(id, version);
  const { prompt, rest } = agentPrompt(data?.config ?? {});
  return (
    <section aria-labelledby="config">
      <h2 id="config">Version {version}</h2>
      {isPending ? <Loading what="the version" /> : null}
      {error === null ? null : <Failed error={error} />}
      {data === undefined ? null : (
        <>
          {data.note === null ? null : <LongText text={data.note} />}
          {prompt === undefined ? null : (
            <>
              <h3>System prompt</h3>
              <LongText text={prompt} />
            </>
          )}
          <h3>Config</h3>
          <LongText isCode text={jsonText(rest)} />
        </>
      )}
    </section>
  );
}
