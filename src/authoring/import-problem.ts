import type { ProblemCode } from '../core/error-code.ts';
import { messageOf } from '../core/errors.ts';
import type { Problem } from '../core/problem.ts';
import { given } from '../lib/given.ts';
import { placeInStack } from '../lib/modules/place-in-stack.ts';

export interface ImportedFile {
  /** Absolute. */
  readonly path: string;
  /** The path as shown to people. */
  readonly file: string;
  /** Codes for a syntax error, and for an error that is thrown during loading. */
  readonly codes: { readonly syntax: ProblemCode; readonly load: ProblemCode };
  /** Default: while it was loaded. */
  readonly since?: 'while-loading' | 'loaded';
}

/** The problem of loading a person's module, without stack frames of the loader. */
export function importProblem(error: unknown, imported: ImportedFile): Problem {
  const { path, file, codes, since = 'while-loading' } = imported;
  const message = messageOf(error);
  const syntax =
    /^(?:ParseError|SyntaxError): (?<what>.*?)\s*\n\s*(?<where>.+):(?<line>\d+):(?<column>\d+)$/s.exec(
      message,
    );
  if (syntax?.groups !== undefined) {
    const { what = '', where = '', line, column } = syntax.groups;
    // The parser counts columns from 0.
    const position = { line: Number(line), column: Number(column) + 1 };
    return { file: where === path ? file : where, ...position, code: codes.syntax, message: what };
  }
  const text = (message.split('\nRequire stack:')[0] ?? message).trim();
  const hint = packageHint(text);
  return { file, ...placeInStack(error, path, since), code: codes.load, message: text, ...given({ hint }) };
}

/** For a module that is a package, and no file. */
function packageHint(message: string): string | undefined {
  const [, name] = /^Cannot find (?:module|package) '((?:@[^'/]+\/)?[^'./\\][^'/\\]*)/.exec(message) ?? [];
  return name === undefined || name.startsWith('node:')
    ? undefined
    : `install the package: npm install ${name}`;
}
