// The programs that `npm run test:agents` installs, and how each is connected to a scripted model server.

const KEY = 'dummy-key-0123456789';

/** Ripgrep. Without it, opencode's skill tool fails silently. */
export const ripgrep = {
  package: '@vscode/ripgrep@1.18.0',
  programs: `@vscode/ripgrep-${process.platform}-${process.arch}/bin`,
};

/**
 * Every agent by type.
 * - `package`: the installed package, in the version that the adapter was written for.
 * - `node`: the oldest major version of Node that it supports, if that differs from ours.
 * - `model`: the name by which the script knows it.
 * - `target(url)`: keys of its target that connect it to the server.
 * - `calls`: how its model calls a shell command, writes or reads a file, uses a skill, or calls one of our tools.
 */
export const agents = {
  'claude-code': {
    package: '@anthropic-ai/claude-code@2.1.330',
    program: 'claude',
    model: 'claude-scripted',
    target: (url) => ({
      env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY, CLAUDE_CODE_MAX_RETRIES: '1' },
    }),
    calls: {
      mocked: (name, input) => ({ name: `mcp__tools__${name}`, input }),
      shell: (command) => ({ name: 'Bash', input: { command, description: 'a command' } }),
      write: (path, content) => ({ name: 'Write', input: { file_path: path, content } }),
      read: (path) => ({ name: 'Read', input: { file_path: path } }),
      skill: (skill) => ({ name: 'Skill', input: { skill } }),
    },
  },
  codex: {
    package: '@openai/codex@0.169.0',
    program: 'codex',
    model: 'codex-scripted',
    target: (url) => ({
      env: { SCRIPTED_KEY: KEY },
      args: [
        '-c',
        'model_provider="scripted"',
        '-c',
        `model_providers.scripted={name="scripted",base_url="${url}/v1",env_key="SCRIPTED_KEY",wire_api="responses",request_max_retries=1,stream_max_retries=1}`,
      ],
    }),
    calls: {
      mocked: (name, input) => ({ name, namespace: 'mcp__tools', input }),
      shell: (command) => ({ name: 'exec_command', input: { cmd: command } }),
      write: (path, content) => ({
        name: 'exec_command',
        input: { cmd: `printf %s '${content}' > ${path}` },
      }),
      // It has no tools for skills or reading, so it uses the shell.
      skill: (skill) => ({ name: 'exec_command', input: { cmd: `cat .agents/skills/${skill}/SKILL.md` } }),
    },
  },
  opencode: {
    package: 'opencode-ai@1.18.33',
    program: 'opencode',
    model: 'scripted/opencode-scripted',
    target: (url) => ({
      files: {
        '.config/opencode/opencode.json': JSON.stringify({
          autoupdate: false,
          share: 'disabled',
          provider: {
            scripted: {
              npm: '@ai-sdk/openai-compatible',
              name: 'scripted',
              options: { baseURL: `${url}/v1`, apiKey: KEY },
              models: openaiModels('opencode-scripted'),
            },
          },
          small_model: 'scripted/opencode-scripted',
        }),
      },
    }),
    calls: {
      mocked: (name, input) => ({ name: `tools_${name}`, input }),
      shell: (command) => ({ name: 'bash', input: { command, description: 'a command' } }),
      write: (path, content) => ({ name: 'write', input: { filePath: path, content } }),
      read: (path) => ({ name: 'read', input: { filePath: path } }),
      skill: (name) => ({ name: 'skill', input: { name } }),
    },
  },
  copilot: {
    package: '@github/copilot@1.0.102',
    program: 'copilot',
    model: 'copilot-scripted',
    target: (url) => ({
      env: {
        COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
        COPILOT_PROVIDER_TYPE: 'openai',
        COPILOT_PROVIDER_API_KEY: KEY,
        COPILOT_MODEL: 'copilot-scripted',
        COPILOT_OFFLINE: 'true',
      },
    }),
    calls: {
      mocked: (name, input) => ({ name: `tools-${name}`, input }),
      shell: (command) => ({ name: 'bash', input: { command, description: 'a command' } }),
      write: (path, content) => ({ name: 'create', input: { path, file_text: content } }),
      read: (path) => ({ name: 'view', input: { path } }),
      skill: (skill) => ({ name: 'skill', input: { skill } }),
    },
  },
  gemini: {
    package: '@google/gemini-cli@0.61.0',
    program: 'gemini',
    // It knows the names of its models and queries unknown ones.
    model: 'gemini-2.5-pro',
    target: (url) => ({ env: { GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: url } }),
    calls: {
      mocked: (name, input) => ({ name: `mcp_tools_${name}`, input }),
      shell: (command) => ({ name: 'run_shell_command', input: { command } }),
      write: (path, content) => ({ name: 'write_file', input: { file_path: path, content } }),
      read: (path) => ({ name: 'read_file', input: { file_path: path } }),
      skill: (name) => ({ name: 'activate_skill', input: { name } }),
    },
  },
  qwen: {
    package: '@qwen-code/qwen-code@0.24.4',
    program: 'qwen',
    node: 22,
    model: 'qwen-scripted',
    target: (url) => ({ env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1` } }),
    calls: {
      mocked: (name, input) => ({ name: `mcp__tools__${name}`, input }),
      shell: (command) => ({ name: 'run_shell_command', input: { command, is_background: false } }),
      write: (path, content) => ({ name: 'write_file', input: { file_path: path, content } }),
      read: (path) => ({ name: 'read_file', input: { file_path: path } }),
      skill: (skill) => ({ name: 'skill', input: { skill } }),
    },
  },
  pi: {
    package: '@mariozechner/pi-coding-agent@0.73.1',
    program: 'pi',
    model: 'scripted/pi-scripted',
    target: (url) => ({
      files: {
        '.pi/agent/models.json': JSON.stringify({
          providers: {
            scripted: {
              baseUrl: `${url}/v1`,
              apiKey: KEY,
              api: 'openai-completions',
              models: [
                {
                  id: 'pi-scripted',
                  name: 'scripted',
                  reasoning: false,
                  input: ['text'],
                  cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
                  contextWindow: 128000,
                  maxTokens: 8000,
                },
              ],
            },
          },
        }),
      },
    }),
    calls: {
      shell: (command) => ({ name: 'bash', input: { command } }),
      write: (path, content) => ({ name: 'write', input: { path, content } }),
      read: (path) => ({ name: 'read', input: { path } }),
      // It has no tool for skills, so it reads them.
      skill: (skill) => ({ name: 'read', input: { path: `.pi/skills/${skill}/SKILL.md` } }),
    },
  },
};

/** The name of a model in requests to the server. */
export const modelOnTheWire = ({ model }) => model.split('/').at(-1);

function openaiModels(name) {
  return { [name]: { name, tool_call: true, limit: { context: 128000, output: 8000 } } };
}
