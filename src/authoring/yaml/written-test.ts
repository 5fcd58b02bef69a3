import type { TestGrammar } from './grammar.ts';
import type { RawTest } from './source.ts';

/** A test that follows the grammar, and where it is written. */
export interface WrittenTest {
  readonly test: TestGrammar;
  readonly raw: RawTest;
  /** Absolute folder of its file. */
  readonly directory: string;
}
