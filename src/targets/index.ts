import type { TargetPlugin } from '../core/plugin.ts';
import { acp } from './acp/config.ts';
import { claudeCode } from './claude-code/config.ts';
import { cli } from './cli/cli.ts';
import { codex } from './codex/config.ts';
import { agentTarget } from './coding-agent/agent-target.ts';
import { copilot } from './copilot/config.ts';
import { cursorAgent } from './cursor-agent/config.ts';
import { gemini } from './gemini/config.ts';
import { httpTarget } from './http/http.ts';
import { mock } from './mock.ts';
import { modelTarget } from './model/model.ts';
import { moduleTarget } from './module/module.ts';
import { opencode } from './opencode/config.ts';
import { openaiCompatible } from './openai-compatible/openai-compatible.ts';
import { pi } from './pi/config.ts';
import { qwen } from './qwen/config.ts';
import { replay } from './replay.ts';

/** All targets by type. */
export const targets: readonly TargetPlugin[] = [
  mock,
  replay,
  cli,
  httpTarget,
  moduleTarget,
  modelTarget,
  openaiCompatible,
  agentTarget(claudeCode),
  agentTarget(codex),
  agentTarget(copilot),
  agentTarget(pi),
  agentTarget(opencode),
  agentTarget(cursorAgent),
  agentTarget(gemini),
  agentTarget(qwen),
  agentTarget(acp),
];
