import { useEffect, useRef, useState } from 'react';

interface SearchBoxProps {
  readonly value: string | undefined;
  readonly onSearch: (text: string | undefined) => void;
}

const TYPING_MS = 200;

/** A search field whose text goes into the address when typing pauses. */
export function SearchBox({ value, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value ?? '');
  const search = useRef(onSearch);
  useEffect(() => {
    search.current = onSearch;
  });
  useEffect(() => setText(value ?? ''), [value]);
  useEffect(() => {
    if (text === (value ?? '')) return undefined;
    const timer = setTimeout(() => search.current(text === '' ? undefined : text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <label>
      <span>Search</span>
      <input type="search" value={text} onChange={({ target }) => setText(target.value)} />
    </label>
  );
}
