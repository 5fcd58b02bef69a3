import { isDefined, type CheckContext } from './check-input.ts';
import { contextOf, type Check } from './compiled-check.ts';

/** The check that a module exports. Throws if it exports none, or one that could never hold. */
export function checkOfModule(path: string, { default: check }: Readonly<Record<string, unknown>>): Check {
  if (typeof check !== 'function')
    throw new TypeError(`${path} has no check: write export default defineCheck((input) => true)`);
  if (isDefined(check)) return check as Check;
  if (takesObject(check as PlainCheck)) throw new TypeError(`${path}: ${TWO_SHAPES}`);
  return inTwo(check as PlainCheck);
}

type PlainCheck = (output: string, context: CheckContext) => unknown;

/** A function without `defineCheck` gets what promptfoo gives to it. */
function inTwo(check: PlainCheck): Check {
  return async (input) => {
    try {
      return await check(input.output, contextOf(input));
    } catch (error) {
      if (error instanceof TypeError && check.length === 1) error.message += ` (${TWO_SHAPES})`;
      throw error;
    }
  };
}

/** Whether its first parameter is a pattern such as `{ output, vars }`. Of a text, that gives nothing. */
function takesObject(check: PlainCheck): boolean {
  return /^(?:async\s*)?(?:function\b[^(]*)?\(\s*\{/.test(Function.prototype.toString.call(check));
}

const TWO_SHAPES =
  'a check without defineCheck gets (output, context), and its first parameter is a text; for one object, write export default defineCheck(({ output, vars }) => ...)';
