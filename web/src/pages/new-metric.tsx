import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

import { TextForm } from '../form/text-form.tsx';
import { Back } from '../parts/back.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useSend } from '../session/use-send.ts';
import { metricBody, NEW_METRIC, NEW_METRIC_FIELDS } from '../settings/metric-fields.ts';

/** A judge metric that is written here. */
export function NewMetricPage() {
  useTitle('New metric');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const send = useSend();
  return (
    <>
      <Back to="/settings">Settings</Back>
      <h1>New metric</h1>
      <TextForm
        name="new metric"
        fields={NEW_METRIC_FIELDS}
        stored={NEW_METRIC}
        submit="Create"
        save={async (texts) => {
          const body = { id: texts['id'] ?? '', ...metricBody(texts) };
          await send<'createMetric'>(['POST', '/metrics'], { path: {}, body });
          await queries.invalidateQueries({ queryKey: ['metrics'] });
          return 'saved';
        }}
        onSaved={() => void navigate({ to: '/settings' })}
      />
    </>
  );
}
