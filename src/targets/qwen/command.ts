import type { AgentTurn, Launch } from '../coding-agent/adapter.ts';
import { serversFile, toolServer } from '../coding-agent/tool-server.ts';

/** Settings that override those of the home, in the scratch folder. */
const SETTINGS_FILE = 'settings.json';

/** `qwen` without its terminal, with its events as JSON lines, over the OpenAI protocol. */
export function launchQwen(turn: AgentTurn): Launch {
  const { config, permissions, resume, sessionId, scratch, prompt } = turn;
  const server = toolServer(turn);
  return {
    args: [
      '--output-format',
      'stream-json',
      ...(permissions === 'full' ? ['--yolo'] : []),
      '--auth-type',
      'openai',
      ...(config.model === undefined ? [] : ['-m', config.model]),
      ...(resume === undefined ? ['--session-id', sessionId] : ['--resume', resume]),
      ...(config.args ?? []),
      `--prompt=${prompt}`,
    ],
    ...(server === undefined
      ? {}
      : {
          env: { QWEN_CODE_SYSTEM_SETTINGS_PATH: `${scratch}/${SETTINGS_FILE}` },
          files: { [SETTINGS_FILE]: serversFile(server, { trust: true }) },
        }),
  };
}
