import { isObject } from '../../lib/json.ts';
import { readAnswer, type CheckSaid } from './check-answer.ts';
import type { CheckThread } from './check-thread.ts';
import { startLineProcess } from './line-process.ts';
import { PYTHON_HOST } from './python-host.ts';

/** A process of `python3` that runs checks, one at a time, until it is terminated. */
export function startPython(environment: Readonly<Record<string, string>>): CheckThread {
  return startLineProcess({
    command: ['python3', '-c', HOST],
    cwd: '/',
    environment: { ...environment, PYTHONDONTWRITEBYTECODE: '1' },
    read: (line) => (isObject(line) && 'python' in line ? { said: saidIn(line['python']) } : line),
  });
}

/** Memory that a check may use: 1 GB. */
const HOST = PYTHON_HOST.replaceAll('MOST_BYTES', String(2 ** 30));

/** Reads what the host says about a check that has ended. */
function saidIn(result: unknown): CheckSaid {
  if (!isObject(result)) return { fault: 'the check returned nothing' };
  const { failed, fault, odd } = result;
  if (typeof fault === 'string') return { fault };
  if (typeof failed === 'string') return { score: 0, reason: failed };
  if (typeof odd === 'string') {
    return {
      fault: `the check returned ${odd}; return True, False, a number from 0 to 1, or a dict with score or pass`,
    };
  }
  return readAnswer(result['answer'] ?? 'None');
}
