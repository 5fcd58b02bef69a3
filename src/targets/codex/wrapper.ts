/** The script of `<shell> -lc '<script>'`, which the program makes of every command; any other text as it is. */
export function unwrapped(command: string): string {
  const wrapper = /^(?:\S*\/)?(?:ba|z|da|k)?sh -l?c /.exec(command);
  return (wrapper && singleWord(command.slice(wrapper[0].length))) ?? command;
}

/** What a text stands for that is one word to a shell; undefined: it is more than one, or expands. */
function singleWord(text: string): string | undefined {
  const pieces = text.match(PIECES) ?? [];
  return pieces.join('') === text ? pieces.map(unquoted).join('') : undefined;
}

/** Single-quoted, double-quoted, escaped, or plain. */
const PIECES = /'[^']*'|"(?:[^"\\$`]|\\[\s\S])*"|\\[\s\S]|[^\s'"\\$`&|;<>(){}*?[\]~#!]+/g;

function unquoted(piece: string): string {
  switch (piece[0]) {
    case "'":
      return piece.slice(1, -1);
    case '"':
      return piece.slice(1, -1).replace(/\\([\\"$`])/g, '$1');
    case '\\':
      return piece.slice(1);
    default:
      return piece;
  }
}
