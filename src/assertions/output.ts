import type { SessionReport } from '../core/session-report.ts';
import { checkCall, demand } from './expectation.ts';
import { checkMatcher, contains, matcherShown, type Matcher } from './matcher.ts';
import type { Observed } from './observed.ts';
import type { AssertionOptions } from './options.ts';

/** Assertions on the last message of the agent. */
export interface OutputAssertions {
  includes(report: SessionReport, matcher: Matcher, options?: AssertionOptions): void;
  notEmpty(report: SessionReport, options?: AssertionOptions): void;
}

/** Assertions on the last message of the agent. */
export const output: OutputAssertions = {
  includes(report, matcher, options) {
    checkCall(report, options);
    checkMatcher(matcher);
    const sentence = contains(matcher, report.finalOutput)
      ? undefined
      : `Expected final output matching ${matcherShown(matcher)}.`;
    demand(sentence, () => observed(report), {
      method: output.includes,
      operator: 'output.includes',
      options,
      compared: () => ({ report, expected: matcher, observed: report.finalOutput }),
    });
  },
  notEmpty(report, options) {
    checkCall(report, options);
    const sentence = report.finalOutput.length > 0 ? undefined : 'Expected final output.';
    demand(sentence, () => observed(report), {
      method: output.notEmpty,
      operator: 'output.notEmpty',
      options,
      compared: () => ({ report, observed: report.finalOutput }),
    });
  },
};

function observed({ finalOutput }: SessionReport): Observed {
  return {
    label: 'final output',
    values: finalOutput === '' ? [] : [finalOutput],
    nothing: '(empty)',
  };
}
