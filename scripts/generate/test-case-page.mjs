import { keyTable } from './key-table.mjs';
import { title } from './program.mjs';

/** Every key of a stored test case. */
export function testCasePage(schema) {
  return [
    title('Stored test cases', 'from the schema of test cases'),
    'Schema version 1.0.0: one case, a list of cases, or what an export writes, as `.json`, `.yaml` or `.jsonl`. How they are run: [Conversations](../guide/conversations.md).\n',
    keyTable(schema),
  ].join('\n');
}
