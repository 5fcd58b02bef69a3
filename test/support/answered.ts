import type { Problem } from '../../src/api/resources/problem.ts';
import type { RunResource } from '../../src/api/resources/run.ts';
import type { AnswerOf } from '../../src/api/route.ts';
import type { Operation, Table } from '../../src/api/table.ts';

/**
 * The body of an answer: what the operation at this address answers, and the error that it answers where it refuses.
 * A test knows which of the two it asked for. Of an address whose operation the types do not tell: the error.
 */
export type AnsweredBody<Method extends string, Address extends string> = Refusal &
  AnswerAt<OperationAt<Method, Place<Address>>>;

/** The body of an answer with an error, of which a test knows what it contains. */
export interface Refusal {
  readonly error: { readonly [Key in keyof Problem['error']]-?: NonNullable<Problem['error'][Key]> };
}

type AnswerAt<Op extends Operation> = [Op] extends [never]
  ? unknown
  : Op extends 'startRun'
    ? Omit<RunResource & DryRun, 'error'>
    : Omit<AnswerOf<Table[Op]>, 'error'>;

/** What tests read of the answer to `dry_run`. */
interface DryRun {
  readonly trials: number;
  readonly settings: { readonly threshold: number };
}

/** The operation at a path. A text in it stands for one segment, as `run` does in `/runs/{run}`. */
type OperationAt<Method extends string, Path extends string> = Path extends Table[Operation]['path']
  ? {
      [Op in Operation]: [Method, Path] extends [Table[Op]['method'], Table[Op]['path']] ? Op : never;
    }[Operation]
  : { [Op in Operation]: [Method, ...Segments<Path>] extends Pattern<Table[Op]> ? Op : never }[Operation];

type Place<Address extends string> = Address extends `${infer Path}?${string}` ? Path : Address;

type Segments<Path extends string> = Path extends `/${infer First}/${infer Rest}`
  ? [First, ...Segments<`/${Rest}`>]
  : Path extends `/${infer Last}`
    ? [Last]
    : [];

/** Method and segments of a route, where a parameter stands for any text. */
type Pattern<R extends Table[Operation]> = [R['method'], ...Free<Segments<R['path']>>];

type Free<Parts extends readonly string[]> = {
  [I in keyof Parts]: Parts[I] extends `{${string}}` ? string : Parts[I];
};
