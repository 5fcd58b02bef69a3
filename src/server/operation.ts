import type { AnswerOf, PathOf, QueryOf } from '../api/route.ts';
import type { Operation, Table } from '../api/table.ts';

/** A call of an operation, with a validated query. */
export interface Call<Op extends Operation> {
  readonly path: PathOf<Table[Op]>;
  readonly query: QueryOf<Table[Op]>;
  readonly request: Request;
  readonly signal: AbortSignal;
}

/** Handlers by operation. They return the answer of the table, or a response of their own for streams. */
export type Handlers = {
  readonly [Op in Operation]: (call: Call<Op>) => Promise<Answered<Op>>;
};

type Answered<Op extends Operation> = Table[Op]['sends'] extends 'json'
  ? AnswerOf<Table[Op]> | Response
  : Response;
