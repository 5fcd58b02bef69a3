import { basename, scriptAt } from './leaves.ts';

/** The arguments of a command that a shell or an interpreter reads as code: their positions, and what reads them. */
export function codeArguments(words: readonly string[]): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const [index, word] of words.entries()) {
    const name = basename(word);
    const rest = words.slice(index + 1);
    for (const at of positionsOf(name, rest)) found.set(index + 1 + at, name);
  }
  return found;
}

function positionsOf(name: string, args: readonly string[]): readonly number[] {
  if (SHELLS.has(name)) return present(scriptAt(args));
  if (EVALUATORS.has(name)) return args.map((_, index) => index);
  const spelling = INTERPRETERS.find(({ names }) => names.test(name));
  return spelling === undefined ? [] : codeIn(args, spelling);
}

function present(index: number | undefined): readonly number[] {
  return index === undefined ? [] : [index];
}

const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ash', 'ksh', 'mksh', 'rbash', 'fish']);

/** They hand all of their arguments to a shell. */
const EVALUATORS = new Set(['ssh', 'watch', 'parallel']);

/** How a program is given code in an argument. */
interface Interpreter {
  readonly names: RegExp;
  /** Options whose value is code; it may be attached with `=`. */
  readonly code: RegExp;
  /** Options whose value is something else, in the next word. */
  readonly valued?: RegExp;
  /** Its options may stand behind operands. */
  readonly mixesOperands?: boolean;
}

const INTERPRETERS: readonly Interpreter[] = [
  { names: /^env$/, code: /^(?:-[A-Za-z0]*S|--split-string)/, valued: /^(?:-[uC]|--unset|--chdir)$/ },
  {
    names: /^(?:node|nodejs|bun|tsx)$/,
    code: /^(?:-[a-z]*[ep]|--eval|--print)(?:=|$)/,
    valued: /^(?:-[rC]|--require|--import|--loader|--conditions|--env-file)$/,
  },
  { names: /^deno$/, code: /^eval$/ },
  { names: /^(?:python|pypy)[\d.]*$/, code: /^-[A-Za-z]*c/, valued: /^-[A-Za-z]*[WX]$/ },
  { names: /^(?:perl|ruby|lua|Rscript|osascript)[\d.]*$/, code: /^-[A-Za-z]*[eE]$/, valued: /^-[Il]$/ },
  { names: /^php[\d.]*$/, code: /^(?:-r|--run)/, valued: /^-[dc]$/ },
  { names: /^(?:pwsh|powershell)$/, code: /^-c/i, valued: /^-(?:ExecutionPolicy|ep)$/i },
  { names: /^npx$/, code: /^(?:-c|--call)(?:=|$)/, valued: /^(?:-p|--package)$/ },
  {
    names: /^(?:su|runuser|script|flock)$/,
    code: /^(?:-[a-z]*c|--command|--session-command)(?:=|$)/,
    mixesOperands: true,
  },
];

function codeIn(
  args: readonly string[],
  { code, valued, mixesOperands = false }: Interpreter,
): readonly number[] {
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '--') return [];
    if (code.test(word)) return [at, at + 1];
    if (valued?.test(word) === true) at += 1;
    else if (!word.startsWith('-') && !mixesOperands && !isAssignment(word)) return [];
  }
  return [];
}

function isAssignment(word: string): boolean {
  return /^[A-Za-z_]\w*=/.test(word);
}
