/** The script in `<shell> -lc '<script>'`, which the program makes of every command; other texts stay unchanged. */
export function unwrapped(command: string): string {
  const wrapper = /^(?:\S*\/)?(?:ba|z|da|k)?sh -l?c /.exec(command);
  return (wrapper && singleWord(command.slice(wrapper[0].length))) ?? command;
}

/** The value of a single shell word; undefined when the text is more than one word, or expands. */
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
