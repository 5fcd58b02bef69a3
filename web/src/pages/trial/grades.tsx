import { Link, useSearch } from '@tanstack/react-router';

import type { WholeTrial } from '../../../../src/api/resources/trial.ts';
import type { Evidence, Grade } from '../../../../src/core/grade.ts';
import type { ScoreScale } from '../../../../src/core/test-case.ts';
import { gradeWord, scaleOf, scoreText } from '../../../../src/reading/phrases.ts';
import { textsOf, trialFilters } from '../../filters.ts';
import { Json } from '../../parts/json.tsx';
import { gradeTitle } from '../../parts/grade-title.ts';
import { LongText } from '../../parts/long-text.tsx';
import { NOT_CALIBRATED, NotCalibrated } from '../../parts/not-calibrated.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { Empty } from '../../parts/states.tsx';
import { Verdict } from '../../parts/verdict.tsx';
import { byDeciding } from './by-deciding.ts';
import { focusTurn } from './focus-turn.ts';

interface GradesProps {
  readonly run: string;
  readonly trial: WholeTrial;
}

/** What each expectation came to, the unmet ones first; those that a reader can do without are folded. */
export function Grades({ run, trial }: GradesProps) {
  const { deciding, more, others } = byDeciding(trial.row);
  return (
    <div className="part">
      <h2>Grades</h2>
      {trial.row.grades.length === 0 ? <Empty>This trial was not graded.</Empty> : null}
      {isUnchecked(trial) ? <NotCalibrated run={run} /> : null}
      <GradeList run={run} trial={trial} grades={deciding} />
      <FoldedGrades title={foldedTitle(more.length)} run={run} trial={trial} grades={more} />
      <FoldedGrades
        title={
          others.length === 1 ? '1 grade that decides nothing' : `${others.length} grades that decide nothing`
        }
        run={run}
        trial={trial}
        grades={others}
      />
    </div>
  );
}

function foldedTitle(grades: number): string {
  return grades === 1 ? '1 more grade that counts' : `${grades} more grades that count`;
}

interface GradeListProps extends GradesProps {
  readonly grades: readonly Grade[];
}

function FoldedGrades({ title, ...list }: GradeListProps & { readonly title: string }) {
  if (list.grades.length === 0) return null;
  return (
    <details>
      <summary>{title}</summary>
      <GradeList {...list} />
    </details>
  );
}

function GradeList({ run, trial, grades }: GradeListProps) {
  if (grades.length === 0) return null;
  return (
    <ul className="list">
      {grades.map((grade) => (
        <GradeItem key={grade.name} run={run} trial={trial} grade={grade} />
      ))}
    </ul>
  );
}

function GradeItem({ run, trial, grade }: GradesProps & { readonly grade: Grade }) {
  const word = gradeWord(trial.row, grade);
  const status = word === 'not decided' ? 'errored' : word === 'passed' ? 'passed' : 'failed';
  const { members = [], notes = [], evidence = [] } = grade;
  return (
    <li className={`grade ${status}`}>
      <div className="row between">
        <h3>
          <Verdict status={status} word={word} />{' '}
          <span title={safeText(grade.name)}>{safeText(gradeTitle(grade))}</span>
        </h3>
        <small>{termsText(grade, scaleOf(trial.row))}</small>
      </div>
      <LongText text={grade.reason} most={1200} />
      <EvidenceList run={run} trial={String(trial.number)} evidence={evidence} reason={grade.reason} />
      <JudgeNote trial={trial} grade={grade} />
      {notes.map((note) => (
        <LongText key={note} text={note} most={600} />
      ))}
      <GradeList run={run} trial={trial} grades={members} />
      {grade.details === undefined ? null : <Json title="Details" value={grade.details} />}
    </li>
  );
}

/** Who judged it, and how far people agree with that judge. */
function JudgeNote({ trial, grade }: Omit<GradesProps, 'run'> & { readonly grade: Grade }) {
  const judge = trial.judges.find((each) => each.grade === grade.name);
  if (judge === undefined && grade.model === undefined) return null;
  const says = judge?.says ?? NOT_CALIBRATED;
  return (
    <p className="judge">
      Judged by {safeText(judge?.model ?? grade.model ?? 'a model')}
      {says === NOT_CALIBRATED ? '' : `: ${safeText(says)}`}
    </p>
  );
}

/** Whether some judge was compared with no person. */
function isUnchecked({ judges, row }: WholeTrial): boolean {
  const asked = row.grades.filter(({ model }) => model !== undefined);
  return (
    judges.some(({ says }) => says === NOT_CALIBRATED) ||
    asked.some(({ name }) => judges.every(({ grade }) => grade !== name))
  );
}

/** Score, threshold, weight and gate of a grade in one line. */
function termsText(grade: Grade, scale: ScoreScale): string {
  return [
    safeText(grade.type),
    grade.score === null ? 'no score' : `score ${scoreText(grade.score, scale)}`,
    ...(grade.required === undefined ? [] : [requiredText(grade.required, grade.score, scale)]),
    ...(grade.required === undefined && grade.threshold !== undefined
      ? [`needs ${scoreText(grade.threshold, scale)}`]
      : []),
    ...(grade.required !== undefined && grade.weight === 0 ? [] : [`weight ${grade.weight}`]),
    ...(grade.spread === undefined ? [] : [`spread of samples ${scoreText(grade.spread, scale)}`]),
    ...(grade.failureCode === undefined ? [] : [safeText(grade.failureCode)]),
  ].join(' · ');
}

/** Where a score is all or nothing, how much is needed says nothing. */
function requiredText(required: number, score: Grade['score'], scale: ScoreScale): string {
  return score === 0 || score === 1 ? 'required' : `required: needs ${scoreText(required, scale)}`;
}

interface EvidenceProps {
  readonly run: string;
  readonly trial: string;
  readonly evidence: readonly Evidence[];
  /** Of the grade. Evidence that only repeats it is shown by its turns alone. */
  readonly reason: string;
}

function EvidenceList({ run, trial, evidence, reason }: EvidenceProps) {
  const search = useSearch({ strict: false });
  const filters = { ...trialFilters(search), ...textsOf(search, ['grading']) };
  if (evidence.length === 0) return null;
  return (
    <ul className="evidence">
      {evidence.map(({ text, passed, turns = [] }, i) => (
        <li key={i}>
          <Verdict status={passed ? 'passed' : 'failed'} word={passed ? 'met' : 'not met'} />
          {reason.endsWith(text) ? null : <LongText text={text} most={600} />}
          <span className="turns">
            {turns.map((turn) => (
              <Link
                key={turn}
                to="/runs/$run/trials/$trial"
                params={{ run, trial }}
                search={filters}
                hash={`turn-${turn}`}
                onClick={() => focusTurn(turn)}
              >
                turn {turn}
              </Link>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}
