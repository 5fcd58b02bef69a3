import { useQuery } from '@tanstack/react-query';

import type { WholeCase } from '../../cases/queries.ts';
import { draftOf, writtenIn } from '../../editor/draft.ts';
import { ConditionsToPass } from '../../parts/conditions-to-pass.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { useSettings } from '../../session/use-session.ts';
import { useSend } from '../../session/use-send.ts';

interface PassingProps {
  readonly id: string;
  readonly of: WholeCase;
}

/** What counts as passing a stored case, with the config of the server. */
export function Passing({ id, of }: PassingProps) {
  const send = useSend();
  const settings = useSettings().data;
  const hasOutcomes = of.fields.expected_outcomes !== null;
  const asked = useQuery({
    queryKey: ['passing', id, of.version],
    queryFn: async () => {
      const { fields: body } = writtenIn(draftOf(of.fields, of.mocks));
      const route = ['POST', '/test-cases/preview'] as const;
      return (await send<'previewTestCase'>(route, { path: {}, body })).answer.passing;
    },
  });
  return (
    <section aria-labelledby="passing">
      <h2 id="passing">What counts as passing</h2>
      {asked.isPending ? <Loading what="what counts as passing" /> : null}
      {asked.isError ? <Failed error={asked.error} /> : null}
      {asked.data === undefined ? null : <ConditionsToPass conditions={asked.data} />}
      {asked.data === undefined || settings?.has_judge !== false || hasOutcomes ? null : (
        <p className="quiet">Without a language model, scores are not judged.</p>
      )}
    </section>
  );
}
