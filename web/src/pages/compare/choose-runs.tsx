import { useNavigate } from '@tanstack/react-router';

import { timeText } from '../../parts/times.ts';
import { useRuns } from '../../queries.ts';

interface ChooseRunsProps {
  readonly base: string | undefined;
  readonly candidate: string | undefined;
}

/** Two fields with the latest runs as suggestions. */
export function ChooseRuns({ base, candidate }: ChooseRunsProps) {
  const navigate = useNavigate();
  const runs = useRuns({});
  const choose = (form: FormData) => {
    const of = (name: string) => String(form.get(name) ?? '').trim();
    void navigate({ to: '/compare', search: { base: of('base'), candidate: of('candidate') } });
  };
  return (
    <form
      className="tabs"
      onSubmit={(event) => {
        event.preventDefault();
        choose(new FormData(event.currentTarget));
      }}
    >
      <label>
        Base <input name="base" list="runs" required defaultValue={base} size={28} />
      </label>
      <label>
        Candidate <input name="candidate" list="runs" required defaultValue={candidate} size={28} />
      </label>
      <datalist id="runs">
        {(runs.data?.pages[0]?.data ?? []).map(({ id, started_at: started }) => (
          <option key={id} value={id}>
            {started === null ? id : timeText(started)}
          </option>
        ))}
      </datalist>
      <button type="submit">Compare</button>
    </form>
  );
}
