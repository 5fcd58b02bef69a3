import { Link } from '@tanstack/react-router';

import { plural } from '../../../src/lib/text/plural.ts';
import { useAgentList } from '../agents/queries.ts';
import { useCases } from '../cases/queries.ts';
import { useSettings } from '../session/use-session.ts';
import { Empty, Failed, Loading } from './states.tsx';

interface NoRunsProps {
  readonly said?: string;
}

/** What to do where there are no runs: a server with a store has its own way to start one. */
export function NoRuns({ said = 'No runs here yet.' }: NoRunsProps) {
  const { mode, targets = [] } = useSettings().data ?? {};
  if (mode === 'serve') return <FirstRun said={said} targets={targets.length} />;
  return (
    <Empty>
      {said} Start one with <code>assay run</code>; it appears here while it is written.
    </Empty>
  );
}

interface FirstRunProps extends Required<NoRunsProps> {
  /** How many targets the config has. */
  readonly targets: number;
}

/** What is still missing for a first run. */
function FirstRun({ said, targets }: FirstRunProps) {
  const cases = useCases({});
  const agents = useAgentList({});
  if (cases.data === undefined || agents.data === undefined) {
    const error = cases.error ?? agents.error;
    return error === null ? <Loading what="what can be tested" /> : <Failed error={error} />;
  }
  const ofCases = countOf(cases.data.pages[0]);
  const ofAgents = countOf(agents.data.pages[0]);
  const hasAgent = targets + ofAgents.count > 0;
  if (ofCases.count > 0 && hasAgent) {
    const tested = [
      countText(ofCases, 'case'),
      ...(ofAgents.count === 0 ? [] : [countText(ofAgents, 'agent')]),
      ...(targets === 0 ? [] : [`${plural(targets, 'target')} of the config`]),
    ];
    return (
      <Empty>
        {said} {tested.join(', ')}: <Link to="/runs/new">start a run</Link>.
      </Empty>
    );
  }
  return (
    <Empty>
      {said} {ofCases.count > 0 ? null : <Link to="/cases/new">Write a test case</Link>}
      {ofCases.count > 0 || hasAgent ? null : ', '}
      {hasAgent ? null : <Link to="/agents">{ofCases.count > 0 ? 'Add an agent' : 'add an agent'}</Link>},
      then <Link to="/runs/new">start a run</Link>.
    </Empty>
  );
}

/** Of a list of which only the first page is loaded. */
interface Count {
  readonly count: number;
  readonly isWhole: boolean;
}

interface Page {
  readonly data: readonly unknown[];
  readonly next_cursor: string | null;
}

function countOf(page: Page | undefined): Count {
  return { count: page?.data.length ?? 0, isWhole: page === undefined || page.next_cursor === null };
}

function countText({ count, isWhole }: Count, what: string): string {
  return isWhole ? plural(count, what) : `more than ${plural(count, what)}`;
}
