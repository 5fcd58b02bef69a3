import type { ReviewResource } from '../../../../src/api/resources/review.ts';
import type { WholeTrial } from '../../../../src/api/resources/trial.ts';
import { gradeWord } from '../../../../src/reading/phrases.ts';
import { useKeptEdit } from '../../form/use-kept-edit.ts';
import { gradeTitle } from '../../parts/grade-title.ts';
import { LongText } from '../../parts/long-text.tsx';
import { Refused } from '../../session/refused.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { useAction } from '../../session/use-action.ts';
import { Verdict } from '../../parts/verdict.tsx';
import { useSend } from '../../session/use-send.ts';
import { AgreementSoFar } from './agreement-so-far.tsx';

interface VerdictItemProps {
  readonly run: string;
  readonly trial: WholeTrial;
  /** Null: the whole trial. */
  readonly expectation: string | null;
  /** The verdict that holds. */
  readonly own: ReviewResource | undefined;
  /** How the run graded it is shown. */
  readonly isShown: boolean;
  /** Grades that tell of it were shown before the verdict. */
  readonly hasSeen: boolean;
  readonly onSaved: () => Promise<void>;
}

/** A verdict with a note. */
export function VerdictItem({ run, trial, expectation, own, isShown, hasSeen, onSaved }: VerdictItemProps) {
  const note = own?.note ?? '';
  const of = `review ${run} ${trial.number} ${expectation ?? ''}`;
  const { edit, change, discard } = useKeptEdit(of, { now: note, base: note, version: '' });
  const send = useSend();
  const { act, isBusy, error } = useAction();
  const save = (verdict: 'passed' | 'failed') =>
    act(async () => {
      const body = {
        expectation,
        verdict,
        note: edit.now.trim() === '' ? null : edit.now,
        seen_judge: hasSeen,
      };
      const path = { run, trial: String(trial.number) };
      await send<'addReview'>(['POST', '/runs/{run}/trials/{trial}/reviews'], { path, body });
      await onSaved();
      discard();
    });
  const grade = trial.row.grades.find(({ name: called }) => called === expectation);
  const title = grade === undefined ? expectation : gradeTitle(grade);
  const name = safeText(title ?? 'The whole trial');
  return (
    <li>
      <h3>{name}</h3>
      <label className="field">
        <span>Note</span>
        <textarea
          rows={2}
          aria-label={`Note: ${name}`}
          value={edit.now}
          readOnly={isBusy}
          onChange={({ target }) => change(target.value)}
        />
      </label>
      <div className="row">
        {(['passed', 'failed'] as const).map((verdict) => (
          <button
            key={verdict}
            type="button"
            aria-label={`${name}: ${verdict}`}
            aria-pressed={own?.verdict === verdict}
            aria-disabled={isBusy}
            onClick={() => void save(verdict)}
          >
            {verdict === 'passed' ? 'Passed' : 'Failed'}
          </button>
        ))}
        <span aria-live="polite">
          {own === undefined
            ? ''
            : `You said: ${own.verdict}${own.seen_judge ? ', after seeing the grades' : ''}`}
        </span>
      </div>
      <Refused what="Not saved" error={error} />
      {isShown ? <Graded run={run} trial={trial} expectation={expectation} /> : null}
    </li>
  );
}

/** How the run graded it. */
function Graded({ run, trial, expectation }: Pick<VerdictItemProps, 'run' | 'trial' | 'expectation'>) {
  if (expectation === null) {
    return (
      <p className="row graded">
        The run: <Verdict status={trial.status} />
      </p>
    );
  }
  const grade = trial.row.grades.find(({ name }) => name === expectation);
  if (grade === undefined) return null;
  const word = gradeWord(trial.row, grade);
  const status = word === 'not decided' ? 'errored' : word === 'passed' ? 'passed' : 'failed';
  return (
    <div className="graded">
      <p className="row">
        {safeText(grade.type)}: <Verdict status={status} word={word} />
      </p>
      <LongText text={grade.reason} most={1200} />
      <AgreementSoFar run={run} of={grade} />
    </div>
  );
}
