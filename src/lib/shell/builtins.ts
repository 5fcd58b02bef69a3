/** Whether a shell gives a word a special meaning at the start of a command. */
export function isBuiltin(word: string): boolean {
  return KEYWORDS.has(word) || evaluates(word);
}

/** Whether a shell runs a command itself: `eval`, `let`, `[` and others run parts of their arguments as code. */
export function evaluates(word: string): boolean {
  return BUILTINS.has(word);
}

const KEYWORDS: ReadonlySet<string> = new Set(
  (
    '! { } case coproc do done elif else esac fi for foreach function if in nocorrect noglob repeat select then time ' +
    'until while'
  ).split(' '),
);

/** `echo`, `cd`, `printf` without options, `true` and `false` use their arguments as plain text. */
const BUILTINS: ReadonlySet<string> = new Set(
  (
    '. : [ [[ ]] alias autoload bg bind break builtin caller command compgen complete compopt continue declare dirs ' +
    'disown enable eval exec exit export fc fg float getopts hash help history integer jobs kill let local logout ' +
    'mapfile nameref popd print pushd readarray read readonly return set setopt shift shopt source suspend test times ' +
    'trap type typeset ulimit umask unalias unset vared wait whence where which zmodload'
  ).split(' '),
);
