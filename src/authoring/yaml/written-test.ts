import type { TestGrammar } from './grammar.ts';
import type { RawTest } from './source.ts';

/** A valid test and its place. */
export interface WrittenTest {
  readonly test: TestGrammar;
  readonly raw: RawTest;
  /** Absolute folder of its file. */
  readonly directory: string;
}
