import { AssayError } from '../../core/errors.ts';
import type { Grader } from '../../core/grade.ts';
import type { GraderPlugin, GraderServices } from '../../core/plugin.ts';
import { remembering } from '../../lib/text/remembering.ts';
import type { Expectation, TestCase } from '../../core/test-case.ts';

/** Creates the grader of an expectation. Composites create their members the same way. */
export function graderFactory(
  plugins: ReadonlyMap<string, GraderPlugin>,
  shared: Omit<GraderServices, 'directory' | 'graderFor'>,
): (expectation: Expectation, testCase: Pick<TestCase, 'directory'>) => Grader {
  const servicesIn = remembering(Infinity, (directory): GraderServices => ({
    directory,
    ...shared,
    graderFor: (member) => graderFor(member, { directory }),
  }));
  const graderFor = (expectation: Expectation, testCase: Pick<TestCase, 'directory'>): Grader => {
    const plugin = plugins.get(expectation.type);
    if (plugin === undefined) {
      throw new AssayError('unknown-grader', `unknown grader type "${expectation.type}"`, {
        stage: 'grading',
      });
    }
    return plugin.create(expectation.config, servicesIn(expectation.directory ?? testCase.directory));
  };
  return graderFor;
}
