import { Link } from '@tanstack/react-router';

import type { RunResource } from '../../../src/api/resources/run.ts';
import { useSession } from '../session/use-session.ts';
import { NOT_CALIBRATED } from './not-calibrated.tsx';
import { safeText } from './safe-text.ts';

interface JudgingProps {
  readonly of: RunResource['judging'];
  /** Id of the run that was judged. */
  readonly run: string;
}

/** How far people agree with the judges behind a number; nothing where no model judged. */
export function Judging({ of, run }: JudgingProps) {
  if (of === null) return null;
  if (of.says === NOT_CALIBRATED) return <Unchecked run={run} />;
  const says = safeText(of.says);
  return <small className="judge">{says.startsWith('not ') ? `judge ${says}` : says}</small>;
}

const MEANING = 'No person has checked yet how often this judge is right. Review some trials to find out.';

/** Leads to the reviews; who points at it or has it in focus reads what it means. */
function Unchecked({ run }: { readonly run: string }) {
  const hasStore = useSession() !== undefined;
  const text = `judge ${NOT_CALIBRATED}`;
  return (
    <small className="judge">
      {hasStore ? (
        <Link to="/review" search={{ run }} title={MEANING}>
          {text}
        </Link>
      ) : (
        text
      )}
    </small>
  );
}
