import { Link, useSearch } from '@tanstack/react-router';
import { Fragment } from 'react';

import type { Compared } from '../compared.ts';
import { safeText } from '../parts/safe-text.ts';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { useRowKeys } from '../parts/use-keys.ts';
import { useTitle } from '../parts/use-title.ts';
import { useComparison } from '../queries.ts';
import { ChooseRuns } from './compare/choose-runs.tsx';
import type { RunComparison } from '../../../src/core/run-comparison.ts';
import { EditedCases } from './compare/edited-cases.tsx';
import { FewCases } from './compare/few-cases.tsx';
import { explainedWords, plainWords } from './compare/plain-words.ts';
import { sentenceWords } from './compare/sentence-words.ts';
import { TargetPart } from './compare/target-part.tsx';
import { UncheckedJudge } from './compare/unchecked-judge.tsx';

/** Whether one run is better than another. */
export function ComparePage() {
  useTitle('Compare');
  useRowKeys();
  const search = useSearch({ from: '/compare' });
  const { base, candidate } = search;
  return (
    <>
      <h1>Compare</h1>
      <ChooseRuns key={JSON.stringify(search)} search={search} />
      {base === undefined || candidate === undefined ? (
        <Empty>Choose a base and a candidate: the candidate is the run in question.</Empty>
      ) : (
        <Shown compared={{ ...search, base, candidate }} />
      )}
    </>
  );
}

const NO_NAMES: NonNullable<RunComparison['caseNames']> = {};

function Shown({ compared }: { readonly compared: Compared }) {
  const comparison = useComparison(compared);
  if (comparison.isPending) return <Loading what="the comparison" />;
  if (comparison.isError) return <Failed error={comparison.error} />;
  const found = comparison.data as unknown as RunComparison;
  const { unpaired, comparisons } = found;
  const reasons = comparisons.flatMap((each) => each.reasons);
  return (
    <>
      {found.comparisons.length === 1
        ? found.comparisons.map((each) => (
            <Fragment key={each.targets.candidate}>
              <p className="plain-words">{plainWords(each)}</p>
              <EditedCases of={each} compared={compared} />
              <FewCases of={each} />
            </Fragment>
          ))
        : null}
      <p className={`sentence lead ${found.verdict}`}>{safeText(sentenceWords({ ...found, reasons }))}</p>
      {found.verdict === 'invalid' ? null : <UncheckedJudge of={compared} />}
      <Explained words={explainedWords(found)} />
      <p className="quiet">
        Compared by {found.options.on === 'score' ? 'score' : 'whether trials passed'}.{' '}
        <Link to="/compare" search={{ ...compared, base: compared.candidate, candidate: compared.base }}>
          Swap the sides
        </Link>
      </p>
      {found.comparisons.map((each) => (
        <TargetPart
          key={`${each.targets.base} ${each.targets.candidate}`}
          comparison={each}
          caseNames={found.caseNames ?? NO_NAMES}
          runs={compared}
          on={found.options.on}
          scale={found.scoredIn ?? 'fraction'}
          isOnly={found.comparisons.length === 1}
        />
      ))}
      <Unpaired title="Targets only in the base" names={unpaired.base} />
      <Unpaired title="Targets only in the candidate" names={unpaired.candidate} />
    </>
  );
}

function Explained({ words }: { readonly words: readonly string[] }) {
  if (words.length === 0) return null;
  return (
    <details className="quiet">
      <summary>What the words of this sentence mean</summary>
      <ul className="plain-list">
        {words.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </details>
  );
}

function Unpaired({ title, names }: { readonly title: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p>
      {title}: {safeText(names.join(', '))}
    </p>
  );
}
