import { basename, isAssignment, scriptAt } from './leaves.ts';

/** The arguments of a command that a shell or interpreter runs as code: their positions and the program. */
export function codeArguments(words: readonly string[]): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const [index, word] of words.entries()) {
    const name = programIn(word);
    const rest = words.slice(index + 1);
    const isEntrypoint = word.startsWith('--entrypoint=') || words[index - 1] === '--entrypoint';
    const positions = isEntrypoint && SHELLS.has(name) ? behindImage(rest) : positionsOf(name, rest);
    for (const at of positions) found.set(index + 1 + at, name);
  }
  return found;
}

/** The argument that a shell or interpreter takes for its script, or for an option if it begins with `-`. */
export function scriptArgument(
  words: readonly string[],
): { readonly at: number; readonly reader: string } | undefined {
  for (const [index, word] of words.entries()) {
    const reader = programIn(word);
    const valued = valuedOptions(reader);
    if (valued === undefined || NO_SCRIPT.test(reader)) continue;
    const at = words.findIndex((argument, i) => i > index && !isOption(argument, words[i - 1], valued));
    return at === -1 ? undefined : { at, reader };
  }
  return undefined;
}

/** They take a program or a name where others take a script. */
const NO_SCRIPT = /^(?:env|p?npm|nix-shell|nix|su|sg|runuser|script|flock)$/;

/** Options with a value in the next word; undefined for programs that are neither shell nor interpreter. */
function valuedOptions(name: string): RegExp | undefined {
  if (SHELLS.has(name)) return SHELL_VALUES;
  const spelling = INTERPRETERS.find(({ names }) => names.test(name));
  return spelling && (spelling.valued ?? NOTHING);
}

const NOTHING = /(?!)/;

function isOption(argument: string, before: string | undefined, valued: RegExp): boolean {
  return /^[-+]/.test(argument) || valued.test(before ?? '');
}

export function isShell(name: string): boolean {
  return SHELLS.has(name);
}

/** Whether a command runs its input as code: a shell or interpreter without a script, or `xargs`. */
export function runsItsInput(words: readonly string[]): boolean {
  return words.some((word, index) => {
    const name = programIn(word);
    if (INPUT_RUNNERS.has(name) || EVALUATORS.has(name)) return true;
    const valued = valuedOptions(name);
    if (valued === undefined) return false;
    const rest = words.slice(index + 1);
    const operand = rest.findIndex((argument, at) => !isOption(argument, rest[at - 1], valued));
    const options = operand === -1 ? rest : rest.slice(0, operand);
    if (operand === -1 || STDIN.test(rest[operand] ?? '')) return true;
    if (name === 'env') return false;
    return (
      options.includes('-') || (SHELLS.has(name) && options.some((option) => /^-[a-zA-Z]*s/.test(option)))
    );
  });
}

const STDIN = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/self\/fd\/\d+)$/;

const INPUT_RUNNERS = new Set(['xargs', 'su', 'at', 'batch', 'crontab']);

/** Options of shells with a value in the next word. */
const SHELL_VALUES = /^(?:[-+][a-zA-Z]*[oO]|--(?:rcfile|init-file))$/;

function programIn(word: string): string {
  if (/^\$(?:SHELL$|\{SHELL\b)/.test(word)) return 'sh';
  return basename(word.replace(/^--entrypoint=/, '')).replace(/\.exe$/i, '');
}

/** For a container, the options of its shell come after the name of the image. */
function behindImage(args: readonly string[]): readonly number[] {
  return args.flatMap((word, index) => (/^-[a-z]*c$/.test(word) ? [index + 1] : []));
}

function positionsOf(name: string, args: readonly string[]): readonly number[] {
  if (name === 'fish') return codeIn(args, FISH);
  if (SHELLS.has(name)) return present(scriptAt(args));
  if (EVALUATORS.has(name)) return args.map((_, index) => index);
  if (name === 'git') return args.flatMap((_, index) => (args[index - 1] === '-c' ? [index] : []));
  if (name === 'deno')
    return args.flatMap((_, index) => (args.slice(0, index).includes('eval') ? [index] : []));
  if (/^g?make$/.test(name)) return madeOf(args);
  if (EDITORS.test(name)) return editorScripts(args);
  const spelling = INTERPRETERS.find(({ names }) => names.test(name));
  return spelling === undefined ? [] : codeIn(args, spelling);
}

/** `make` expands `$(shell ...)` in every variable and goal. */
function madeOf(args: readonly string[]): readonly number[] {
  return args.flatMap((_, index) =>
    /^(?:-[CfI]|--(?:directory|file))$/.test(args[index - 1] ?? '') ? [] : [index],
  );
}

/** Their scripts can start programs. */
const EDITORS = /^(?:g?sed|[gmn]?awk)$/;

function editorScripts(args: readonly string[]): readonly number[] {
  const options = args.flatMap((word, index) =>
    /^-[a-zA-Z]*e|^--(?:expression|source)/.test(word) ? [index, index + 1] : [],
  );
  if (options.length > 0 || args.some((word) => /^-[a-zA-Z]*f$|^--file/.test(word))) return options;
  const operand = args.findIndex(
    (word, index) => !word.startsWith('-') && !/^-[vF]$/.test(args[index - 1] ?? ''),
  );
  return present(operand === -1 ? undefined : operand);
}

function present(index: number | undefined): readonly number[] {
  return index === undefined ? [] : [index];
}

const SHELLS = new Set(
  'sh bash zsh dash ash ksh mksh rbash yash osh csh tcsh nu elvish xonsh fish'.split(' '),
);

/** They pass all of their arguments to a shell. */
const EVALUATORS = new Set(['ssh', 'watch', 'parallel', 'hyperfine', 'tmux', 'screen', 'concurrently']);

/** How a program takes code in an argument. */
interface Interpreter {
  readonly names: RegExp;
  /** Options whose value is code; it may be attached with `=`. */
  readonly code: RegExp;
  /** Options with another value in the next word. */
  readonly valued?: RegExp;
  /** Options may come after operands. */
  readonly mixesOperands?: boolean;
  /** Arguments after the code are appended to it. */
  readonly joinsRest?: boolean;
}

const FISH: Interpreter = { names: /^fish$/, code: /^(?:-[a-z]*[cC]|--(?:init-)?command(?:=|$))/ };

const INTERPRETERS: readonly Interpreter[] = [
  {
    names: /^env$/,
    code: /^(?:-[A-Za-z0]*S|--split-string)/,
    valued: /^(?:-[uC]|--unset|--chdir)$/,
    joinsRest: true,
  },
  {
    names: /^(?:node|nodejs|bun|tsx|ts-node)$/,
    code: /^(?:-[a-z]*[ep]|--eval|--print)(?:=|$)/,
    valued: /^(?:-[rC]|--require|--import|--loader|--conditions|--env-file(?:-if-exists)?|--input-type)$/,
  },
  { names: /^(?:i?python|pypy)[\d.]*$/, code: /^-[A-Za-z]*c/, valued: /^-[A-Za-z]*[WX]$/ },
  {
    names: /^(?:perl|ruby|lua(?:jit)?|R|Rscript|osascript|julia|groovy|swift|elixir)[\d.]*$/,
    code: /^-[A-Za-z]*[eE]/,
    valued: /^-[Il]$/,
  },
  { names: /^php[\d.]*$/, code: /^(?:-[rBRE]|--(?:run|process-(?:begin|code|end)))/, valued: /^-[dc]$/ },
  { names: /^(?:pwsh|powershell)$/, code: /^-c/i, valued: /^-(?:ExecutionPolicy|ep)$/i },
  { names: /^npx$/, code: /^(?:-c|--call)(?:=|$)/, valued: /^(?:-p|--package)$/ },
  { names: /^p?npm$/, code: /^(?:-c|--call|--shell-mode)(?:=|$)/, mixesOperands: true },
  { names: /^(?:nix-shell|nix)$/, code: /^--(?:run|command)$/, mixesOperands: true },
  {
    names: /^(?:su|sg|runuser|script|flock)$/,
    code: /^(?:-[a-z]*c|--(?:session-)?command(?:=|$))/,
    mixesOperands: true,
  },
];

function codeIn(
  args: readonly string[],
  { code, valued, mixesOperands = false, joinsRest = false }: Interpreter,
): readonly number[] {
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '--') return [];
    if (code.test(word)) return joinsRest ? [...args.keys()].slice(at) : [at, at + 1];
    if (valued?.test(word) === true) at += 1;
    else if (!word.startsWith('-') && !mixesOperands && !isAssignment(word)) return [];
  }
  return [];
}
