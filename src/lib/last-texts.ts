/** Writes values, and gives the text again for each of the last few objects. */
export function lastTexts<Value extends object>(write: (value: Value) => string): (value: Value) => string {
  const values: (Value | undefined)[] = Array.from({ length: REMEMBERED });
  const texts: string[] = Array.from({ length: REMEMBERED }, () => '');
  let next = 0;
  return (value) => {
    const known = values.indexOf(value);
    if (known >= 0) return texts[known] ?? '';
    const text = write(value);
    values[next] = value;
    texts[next] = text;
    next = (next + 1) % REMEMBERED;
    return text;
  };
}

const REMEMBERED = 4;
