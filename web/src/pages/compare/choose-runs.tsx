import { useNavigate } from '@tanstack/react-router';

import { lineText } from '../../parts/cut.ts';
import { safeText } from '../../parts/safe-text.ts';
import { timeText } from '../../parts/times.ts';
import { comparedOf, type Across, type Compared } from '../../compared.ts';
import { useRuns } from '../../queries.ts';

const ACROSS: readonly (readonly [name: Across, title: string])[] = [
  ['case', 'changed cases'],
  ['grader', 'changed graders'],
  ['selection', 'another selection of cases'],
];

interface ChooseRunsProps {
  readonly search: Partial<Compared>;
}

/** Two runs, each perhaps with one of its targets, and how they are compared. */
export function ChooseRuns({ search }: ChooseRunsProps) {
  const navigate = useNavigate();
  const listed = useRuns({}).data?.pages[0]?.data ?? [];
  const began = listed.map(({ started_at: at }) => at);
  const choose = (form: FormData) => {
    const of = (name: string) => String(form.get(name) ?? '').trim();
    const across = ACROSS.map(([name]) => name).filter((name) => form.has(name));
    void navigate({
      to: '/compare',
      search: comparedOf({ base: of('base'), candidate: of('candidate'), on: of('on'), across }),
    });
  };
  return (
    <form
      className="panel tools"
      onSubmit={(event) => {
        event.preventDefault();
        choose(new FormData(event.currentTarget));
      }}
    >
      <label>
        <span>Base</span>
        <input name="base" list="runs" required defaultValue={search.base} size={44} />
      </label>
      <label>
        <span>Candidate</span>
        <input name="candidate" list="runs" required defaultValue={search.candidate} size={44} />
      </label>
      <datalist id="runs">
        {listed.map(({ id, started_at: started, line }) => (
          <option key={id} value={id}>
            {started === null ? id : safeText(lineText(`${line ?? ''} ${timeText(started, began)}`))}
          </option>
        ))}
      </datalist>
      <label>
        <span>By</span>
        <select name="on" defaultValue={search.on ?? ''}>
          <option value="">automatic</option>
          <option value="score">score</option>
          <option value="passed">whether trials passed</option>
        </select>
      </label>
      <fieldset className="row">
        <legend className="quiet">Compare in spite of</legend>
        {ACROSS.map(([name, title]) => (
          <label key={name}>
            <input type="checkbox" name={name} defaultChecked={search.across?.includes(name)} /> {title}
          </label>
        ))}
      </fieldset>
      <button type="submit" className="main">
        Compare
      </button>
    </form>
  );
}
