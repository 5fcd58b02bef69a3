import { keyTable } from './key-table.mjs';
import { title } from './program.mjs';

/** Every key of a stored test case. */
export function testCasePage(schema) {
  return [
    title('Stored test cases', 'from the schema of test cases'),
    'Keys of a stored test case, schema version 1.0.0. A `.json` or `.yaml` file contains one case, a list of cases, or an export. Each line of a `.jsonl` file is one case, one list, or one export. [Conversations](../guide/conversations.md) says how cases are run.\n',
    keyTable(schema),
  ].join('\n');
}
