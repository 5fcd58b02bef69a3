import { join } from 'node:path';

import { agentRecordings } from '../../../test/contracts/agent-recordings.ts';
import { opencode } from './config.ts';

agentRecordings(opencode, join(import.meta.dirname, 'fixtures'));
