import { join } from 'node:path';

import { agentRecordings } from '../../../test/contracts/agent-recordings.ts';
import { claudeCode } from './config.ts';

agentRecordings(claudeCode, join(import.meta.dirname, 'fixtures'));
