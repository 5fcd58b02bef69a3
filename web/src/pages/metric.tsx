import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';

import type { MetricResource } from '../../../src/api/resources/metric.ts';
import { TextForm } from '../form/text-form.tsx';
import { Answered } from '../parts/answered.tsx';
import { Back } from '../parts/back.tsx';
import { Fact } from '../parts/facts.tsx';
import { LongText } from '../parts/long-text.tsx';
import { Refused } from '../session/refused.tsx';
import { safeText } from '../parts/safe-text.ts';
import { useAction } from '../session/use-action.ts';
import { useTitle } from '../parts/use-title.ts';
import { useSend } from '../session/use-send.ts';
import { useMay } from '../session/use-session.ts';
import { METRIC_FIELDS, metricBody, storedMetric } from '../settings/metric-fields.ts';
import { metricQuery } from '../settings/queries.ts';

/** A judge metric. Those of the store can be changed here. */
export function MetricPage() {
  const { id } = useParams({ from: '/metrics/$id' });
  const metric = useQuery(metricQuery(id));
  const mayWrite = useMay('member') && metric.data?.origin === 'store';
  useTitle(`Metric ${metric.data?.id ?? ''}`);
  return (
    <>
      <Back to="/settings">Settings</Back>
      {metric.data === undefined ? <h1>Metric</h1> : null}
      <Answered of={metric} what="the metric">
        {(data) => (mayWrite ? <Edited key={id} of={data} /> : <OnlyRead of={data} />)}
      </Answered>
    </>
  );
}

function Edited({ of }: { readonly of: MetricResource }) {
  const { id } = of;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const send = useSend();
  const refresh = async () => {
    const keys = [['metrics'], ['metric', id]];
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
  };
  return (
    <>
      <div className="row between">
        <h1>{id}</h1>
        {of.archived_at === null ? <Archive of={of} onArchived={refresh} /> : null}
      </div>
      {of.archived_at === null ? null : (
        <p className="note">This metric is archived: new runs cannot use it. Save it to take it back.</p>
      )}
      <TextForm
        name={`metric ${id}`}
        fields={METRIC_FIELDS}
        stored={storedMetric(of)}
        again={async () => storedMetric(await queries.fetchQuery({ ...metricQuery(id), staleTime: 0 }))}
        submit="Save"
        save={async (texts, ifMatch) => {
          const sent = { path: { id }, body: metricBody(texts) };
          await send<'replaceMetric'>(['PUT', '/metrics/{id}'], sent, { ifMatch });
          await refresh();
          return 'saved';
        }}
        onSaved={() => void navigate({ to: '/settings' })}
      />
    </>
  );
}

interface ArchiveProps {
  readonly of: MetricResource;
  readonly onArchived: () => Promise<void>;
}

function Archive({ of: { id, updated_at: version }, onArchived }: ArchiveProps) {
  const send = useSend();
  const { act, isBusy, error } = useAction();
  const archive = () =>
    act(async () => {
      const ifMatch = version ?? '*';
      await send<'archiveMetric'>(['DELETE', '/metrics/{id}'], { path: { id } }, { ifMatch });
      await onArchived();
    });
  return (
    <span className="row">
      <Refused what="Not changed" error={error} />
      <button type="button" aria-disabled={isBusy} onClick={() => void archive()}>
        Archive
      </button>
    </span>
  );
}

function OnlyRead({ of }: { readonly of: MetricResource }) {
  return (
    <>
      <h1>{of.id}</h1>
      <dl className="facts">
        <Fact title="From">{of.origin}</Fact>
        <Fact title="Name for people">{safeText(of.display_name ?? 'none')}</Fact>
        <Fact title="Tier">{safeText(of.tier ?? 'none')}</Fact>
        <Fact title="Kind">{of.kind}</Fact>
        <Fact title="Default weight">{of.default_weight ?? 'none'}</Fact>
      </dl>
      <section aria-labelledby="rubric">
        <h2 id="rubric">Rubric</h2>
        <LongText text={of.rubric} />
      </section>
    </>
  );
}
