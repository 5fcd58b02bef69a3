import { join } from 'node:path';
import { agentRecordings } from '../../../test/contracts/agent-recordings.ts';
import { copilot } from './config.ts';
agentRecordings(copilot, join(import.meta.dirname, 'fixtures'));
