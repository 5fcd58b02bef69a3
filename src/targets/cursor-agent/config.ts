import { plainAgentConfig } from '../coding-agent/agent-config.ts';
import type { AgentAdapter } from '../coding-agent/adapter.ts';
import { launchCursor } from './command.ts';
import { cursorParser } from './parse.ts';
import { CURSOR_TOOLS } from './tool-call.ts';

/** Cursor Agent, built from the published description of its output; not tested with the program itself. */
export const cursorAgent: AgentAdapter = {
  type: 'cursor-agent',
  summary: 'the coding agent Cursor Agent',
  programs: ['cursor-agent', 'agent'],
  install: 'install the Cursor CLI',
  triedVersions: [],
  credentials: ['CURSOR_API_KEY'],
  // Cursor documents only `*.cursor.sh`, and an allow-list has no patterns; not tried with the program itself.
  hosts: ['api2.cursor.sh:443'],
  skillsDirectories: [],
  tools: CURSOR_TOOLS,
  config: plainAgentConfig,
  launch: launchCursor,
  parser: cursorParser,
};
