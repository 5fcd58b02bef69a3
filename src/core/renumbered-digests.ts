import type { RowDigests } from './run.ts';

/** The digests of a row with the numbers of another list. */
export function renumberedDigests(digests: RowDigests, numberOf: (old: number) => number): RowDigests {
  const { terms, mocks, userPrompt } = digests;
  return {
    case: numberOf(digests.case),
    target: numberOf(digests.target),
    ...(terms === undefined ? {} : { terms: numberOf(terms) }),
    ...(mocks === undefined ? {} : { mocks: numberOf(mocks) }),
    ...(userPrompt === undefined ? {} : { userPrompt: numberOf(userPrompt) }),
  };
}
