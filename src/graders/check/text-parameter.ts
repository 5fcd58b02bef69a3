import { NAMES } from './check-source.ts';

/**
 * Runs a check whose first parameter is a text. If the check reads a name of its input from the text, such as
 * `output.vars`, that throws a TypeError. By itself, JavaScript gives `undefined` there, and the check would give a
 * wrong grade. Only for threads of checks: it changes all texts there, and one check runs at a time.
 */
export async function withTextParameter(text: string, run: () => unknown): Promise<unknown> {
  refuseNames();
  current = text;
  try {
    return await run();
  } finally {
    current = undefined;
  }
}

/** The text while its check runs. */
let current: string | undefined;
let isRefusing = false;

function refuseNames(): void {
  if (isRefusing) return;
  isRefusing = true;
  const texts = Object.getPrototypeOf('') as object;
  for (const name of NAMES)
    Object.defineProperty(texts, name, {
      configurable: true,
      get(this: unknown): undefined {
        if (this === current) throw new TypeError(`this check reads \`${name}\` from a text: ${TWO_SHAPES}`);
        return undefined;
      },
    });
}

const TWO_SHAPES =
  'a check without defineCheck gets (output, context), and its first parameter is a text; for one object, write export default defineCheck(({ output, vars }) => ...)';
