import { safeText } from '../../parts/safe-text.ts';
import { Refused } from '../../session/refused.tsx';
import { textOf } from '../../session/refusal-texts.ts';
import type { ModelProblems } from './model-problems.ts';
import type { Plan } from './plan.ts';
import { planInShort } from './plan-in-short.ts';
import { PlanView } from './plan-view.tsx';
import type { useNewRun } from './use-new-run.ts';

interface StartProps {
  readonly run: ReturnType<typeof useNewRun>;
  readonly problems: ModelProblems | undefined;
  /** Whether the problems stand at their fields too. */
  readonly isMarked: boolean;
}

/**
 * The button that starts the run, and the plan in short beside it. The plan is below it, perhaps out of sight, so that
 * nothing above moves when it comes.
 */
export function Start({ run: { planned, error, isUnknown, isBusy }, problems, isMarked }: StartProps) {
  const isReady = planned !== undefined && planned.plan.problems.length === 0;
  return (
    <>
      <div className="row">
        <button type="submit" className="main" aria-disabled={isBusy}>
          Start this run
        </button>
        <span className="quiet" aria-live="polite">
          {isReady ? planInShort(planned.plan) : isBusy ? 'Making the plan …' : ''}
        </span>
      </div>
      {problems?.isAll === true ? (
        <Unready text={problems.text} isMarked={isMarked} />
      ) : (
        <Refused what={isUnknown ? UNKNOWN : CANNOT_START} error={error} />
      )}
      {planned === undefined ? null : (
        <>
          <Missing problems={planned.plan.problems} />
          <Warnings of={planned.plan.warnings} />
          <PlanView plan={planned.plan} />
        </>
      )}
    </>
  );
}

interface UnreadyProps {
  /** What is wrong with the text that the answer must contain. */
  readonly text: string | undefined;
  readonly isMarked: boolean;
}

/** What the fields lack. Before somebody tries to start, an empty field is no mistake. */
function Unready({ text, isMarked }: UnreadyProps) {
  if (isMarked) {
    return (
      <p className="problem" role="alert">
        This run cannot start yet. Correct the marked fields.
      </p>
    );
  }
  return (
    <p className="quiet" aria-live="polite">
      {text ?? 'Fill in the language models above.'} Then the plan is shown here.
    </p>
  );
}

/** Why the server would refuse the start of a sound plan. */
function Missing({ problems }: Pick<Plan, 'problems'>) {
  if (problems.length === 0) return null;
  return (
    <div className="problem" role="alert">
      <p>{CANNOT_START} yet:</p>
      <ul>
        {problems.map((each) => (
          <li key={each.message}>{safeText(textOf(each))}</li>
        ))}
      </ul>
    </div>
  );
}

function Warnings({ of }: { readonly of: Plan['warnings'] }) {
  const texts = [...new Set(of.map(textOf))];
  if (texts.length === 0) return null;
  return (
    <div className="note">
      <ul className="plain-list" aria-label="Warnings">
        {texts.map((text) => (
          <li key={text}>{safeText(text)}</li>
        ))}
      </ul>
    </div>
  );
}

const CANNOT_START = 'This run cannot start';
const UNKNOWN = 'It is unknown whether this run started. Start it again: it does not start twice';
