import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';

import type { TestCaseResource } from '../../../src/api/resources/test-case.ts';
import type { JsonValue } from '../../../src/lib/json.ts';
import { FewCasesYet } from '../cases/few-cases-yet.tsx';
import { wholeCaseQuery, type WholeCase } from '../cases/queries.ts';
import { draftOf } from '../editor/draft.ts';
import { areOutcomesJson, outcomesText } from '../editor/outcomes.ts';
import { Preview } from '../editor/preview.tsx';
import { Fact } from '../parts/facts.tsx';
import { jsonText } from '../parts/json.tsx';
import { LongText } from '../parts/long-text.tsx';
import { lineText } from '../parts/cut.ts';
import { safeText } from '../parts/safe-text.ts';
import { Failed, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useMay } from '../session/use-session.ts';
import { History } from './case/history.tsx';
import { Passing } from './case/passing.tsx';

/** A stored case: its fields, its mocks, and how it went in all runs. */
export function CasePage() {
  const { id } = useParams({ from: '/cases/$id' });
  const whole = useQuery(wholeCaseQuery(id));
  const mayWrite = useMay('member');
  useTitle(lineText(whole.data?.fields.name ?? 'Case', 80));
  return (
    <>
      <p className="path">
        <Link to="/cases">← Cases</Link>
      </p>
      {whole.data === undefined ? <h1>Case</h1> : null}
      {whole.isPending ? <Loading what="the test case" /> : null}
      {whole.isError ? <Failed error={whole.error} /> : null}
      {whole.data === undefined ? null : (
        <>
          <div className="row between">
            <h1>{safeText(whole.data.fields.name)}</h1>
            {mayWrite ? (
              <div className="row">
                <Link className="button" to="/runs/new" search={{ id: [id] }}>
                  Run this case
                </Link>
                <Link className="button" to="/cases/new" search={{ like: id }}>
                  New case like this
                </Link>
                <Link className="button" to="/cases/$id/edit" params={{ id }}>
                  Edit
                </Link>
              </div>
            ) : null}
          </div>
          <FewCasesYet like={id} />
          <Facts of={whole.data.fields} />
          {mayWrite ? <Passing id={id} of={whole.data} /> : null}
          <Fields of={whole.data} />
          {mayWrite ? <CasePreview of={whole.data} /> : null}
          <History id={id} />
        </>
      )}
    </>
  );
}

function CasePreview({ of }: { readonly of: WholeCase }) {
  return <Preview draft={useMemo(() => draftOf(of.fields, of.mocks), [of])} />;
}

function Facts({ of }: { readonly of: TestCaseResource }) {
  return (
    <dl className="facts">
      <Fact title="Status">{of.status}</Fact>
      <Fact title="Difficulty">{of.difficulty}</Fact>
      <Fact title="Tags">{of.tags.length === 0 ? 'none' : safeText(of.tags.join(', '))}</Fact>
      <Fact title="Most turns">{of.max_turns ?? 'no limit'}</Fact>
      <Fact title="Created">
        <Time at={of.created_at} />
      </Fact>
      <Fact title="Changed">
        <Time at={of.updated_at} />
      </Fact>
    </dl>
  );
}

function Fields({ of: { fields, mocks } }: { readonly of: WholeCase }) {
  const { persona } = fields;
  return (
    <>
      <Field title="Description" text={fields.description} />
      <Field title="First message of the user" text={fields.initial_message} />
      <Field title="Persona: type" text={persona?.type ?? null} />
      <Field title="Persona: description" text={persona?.description ?? null} />
      <Field title="Persona: instructions" text={persona?.instructions ?? null} />
      <Field title="What the user knows" value={fields.user_context} />
      <Outcomes of={fields.expected_outcomes} />
      <Field title="Expected tool calls" value={fields.expected_tool_calls as readonly JsonValue[] | null} />
      <Field title="Criteria instead of the usual ones" text={fields.evaluation_criteria_override} />
      <Field title="Tool mocks" value={mocks.length === 0 ? null : (mocks as readonly JsonValue[])} />
    </>
  );
}

/** In lines, as somebody wrote them, where they are no JSON. */
function Outcomes({ of }: { readonly of: WholeCase['fields']['expected_outcomes'] }) {
  const text = outcomesText(of);
  const isLines = text !== '' && !areOutcomesJson(text);
  return <Field title="Expected outcomes" {...(isLines ? { text } : { value: of })} />;
}

interface FieldProps {
  readonly title: string;
  readonly text?: string | null;
  readonly value?: JsonValue;
}

/** What is not set is not shown. */
function Field({ title, text = null, value = null }: FieldProps) {
  if (text === null && value === null) return null;
  return (
    <section>
      <h2>{title}</h2>
      {text === null ? <LongText isCode text={jsonText(value)} /> : <LongText text={text} />}
    </section>
  );
}
