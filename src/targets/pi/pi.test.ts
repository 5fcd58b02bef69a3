import { join } from 'node:path';
import { agentRecordings } from '../../../test/contracts/agent-recordings.ts';
import { pi } from './config.ts';
agentRecordings(pi, join(import.meta.dirname, 'fixtures'));
