import { isMadeByDefineCheck, type CheckContext } from './check-input.ts';
import { contextOf, type Check } from './compiled-check.ts';
import { withTextParameter } from './text-parameter.ts';

/** The check that a module exports. Throws if it exports none. */
export function checkOfModule(path: string, { default: check }: Readonly<Record<string, unknown>>): Check {
  if (typeof check !== 'function')
    throw new TypeError(`${path} has no check: write export default defineCheck((input) => true)`);
  return isMadeByDefineCheck(check) ? (check as Check) : inTwo(check as PlainCheck);
}

type PlainCheck = (output: string, context: CheckContext) => unknown;

/** A function without `defineCheck` gets what promptfoo gives to it. With one parameter, it may expect one object. */
function inTwo(check: PlainCheck): Check {
  if (check.length > 1) return (input) => check(input.output, contextOf(input));
  return (input) => withTextParameter(input.output, () => check(input.output, contextOf(input)));
}
