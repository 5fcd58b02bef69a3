import type { Problem } from '../../core/problem.ts';
import type { TestCase } from '../../core/test-case.ts';
import type { UsedTarget } from '../binding/target-pool.ts';
import { given } from '../../lib/given.ts';

/** A case with an image. */
export type Illustrated = Pick<TestCase, 'id' | 'source' | 'targets'>;

/** Whether a message of a case contains an image. */
export function isIllustrated({ input }: TestCase): boolean {
  return input.some(({ parts }) => parts.some((part) => 'image' in part));
}

/** Problems with cases that send an image to a target without image support. */
export function imageFaults(
  cases: readonly Illustrated[],
  targetsOf: (testCase: Illustrated) => readonly string[],
  used: ReadonlyMap<string, UsedTarget>,
): readonly Problem[] {
  const refuses = (name: string) => {
    const target = used.get(name);
    return target?.plugin.takesImages?.(target.settings.config) === false;
  };
  return cases.flatMap((testCase) =>
    targetsOf(testCase)
      .filter(refuses)
      .map((name) => problemOf(testCase, name)),
  );
}

function problemOf({ id, source }: Illustrated, target: string): Problem {
  return {
    file: source?.file ?? '',
    ...given({ line: source?.line }),
    code: 'images-refused',
    message: `the test ${JSON.stringify(id)} sends an image, but images are not enabled for the target "${target}"`,
    hint: 'if the agent accepts images, set `images: true` on the target; otherwise remove the image',
  };
}
