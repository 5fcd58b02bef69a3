import type { AnswerOf, BodyOf, PathOf, QueryOf, Tagged } from '../api/route.ts';
import type { Operation, Table } from '../api/table.ts';
import type { Actor } from '../app/access/authenticate.ts';
import type { KeyedAnswer, KeyEntry } from '../core/idempotency-keys.ts';
import type { UploadedBody } from './body.ts';

/** A call of an operation, with a validated query and body. */
export interface Call<Op extends Operation> {
  readonly path: PathOf<Table[Op]>;
  readonly query: QueryOf<Table[Op]>;
  /** The JSON body; undefined for routes without one. */
  readonly body: BodyOf<Table[Op]>;
  /** The body of a route with `upload`. */
  readonly upload: UploadedBody;
  readonly actor: Actor;
  /** Of a request with an `Idempotency-Key`. */
  readonly keyed?: KeyedCall | undefined;
  /** Address of the client. */
  readonly address: string;
  /** The version that `If-Match` names; undefined for `*`. */
  readonly expected: string | undefined;
  readonly request: Request;
  readonly signal: AbortSignal;
}

/** A call that is done once for its key. What it writes is stored together with its answer, so that a process that is killed repeats nothing. */
export interface KeyedCall {
  readonly entry: KeyEntry;
  /** The answer to the request, made of the answer of its handler. */
  answerOf(answered: object): KeyedAnswer;
}

/** Handlers by operation. They return the answer of the table, or a response of their own for streams. */
export type Handlers = {
  readonly [Op in Operation]: (call: Call<Op>) => Promise<Answered<Op>>;
};

/** The handlers of a group of routes. */
export type HandlersOf<Group extends { readonly [Op in keyof Group & Operation]: Table[Op] }> = Pick<
  Handlers,
  keyof Group & Operation
>;

/** The operations that need no store. */
export type ViewOperation = {
  [Op in Operation]: Table[Op]['needs'] extends 'store' ? never : Op;
}[Operation];

/** The other ones. */
export type StoreOperation = Exclude<Operation, ViewOperation>;

type Answered<Op extends Operation> = Table[Op]['sends'] extends 'json'
  ? Table[Op] extends { readonly tagged: true }
    ? Tagged<AnswerOf<Table[Op]>>
    : AnswerOf<Table[Op]> | Response
  : Response;
