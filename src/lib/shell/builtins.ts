/** Whether a shell reads a word as more than the name of a program, as far as it stands first. */
export function isBuiltin(word: string): boolean {
  return KEYWORDS.has(word) || evaluates(word);
}

/** Whether a shell runs a command itself: `eval`, `let`, `[` and others take pieces of their arguments for code. */
export function evaluates(word: string): boolean {
  return BUILTINS.has(word);
}

const KEYWORDS: ReadonlySet<string> = new Set(
  (
    '! { } case coproc do done elif else esac fi for foreach function if in nocorrect noglob repeat select then time ' +
    'until while'
  ).split(' '),
);

/** `echo`, `cd`, `printf` without options, `true` and `false` take them as they are. */
const BUILTINS: ReadonlySet<string> = new Set(
  (
    '. : [ [[ ]] alias autoload bg bind break builtin caller command compgen complete compopt continue declare dirs ' +
    'disown enable eval exec exit export fc fg float getopts hash help history integer jobs kill let local logout ' +
    'mapfile nameref popd print pushd readarray read readonly return set setopt shift shopt source suspend test times ' +
    'trap type typeset ulimit umask unalias unset vared wait whence where which zmodload'
  ).split(' '),
);
