import type { AgentTurn, Launch } from '../coding-agent/adapter.ts';
import { serversFile, toolServer } from '../coding-agent/tool-server.ts';

/** Settings over those of the home, below the scratch folder. */
const SETTINGS_FILE = 'settings.json';

/** `gemini` without its terminal, with its events as JSON lines. */
export function launchGemini(turn: AgentTurn): Launch {
  const { config, permissions, resume, sessionId, scratch, prompt } = turn;
  const server = toolServer(turn);
  return {
    args: [
      '--output-format',
      'stream-json',
      ...(permissions === 'full' ? ['--yolo'] : []),
      '--skip-trust',
      ...(config.model === undefined ? [] : ['-m', config.model]),
      ...(resume === undefined ? ['--session-id', sessionId] : ['--resume', resume]),
      ...(config.args ?? []),
      `--prompt=${prompt}`,
    ],
    env: {
      GEMINI_CLI_NO_RELAUNCH: 'true',
      ...(server === undefined ? {} : { GEMINI_CLI_SYSTEM_SETTINGS_PATH: `${scratch}/${SETTINGS_FILE}` }),
    },
    ...(server === undefined ? {} : { files: { [SETTINGS_FILE]: serversFile(server, { trust: true }) } }),
  };
}
