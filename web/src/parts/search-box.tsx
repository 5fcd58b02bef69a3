import { useEffect, useRef, useState } from 'react';

interface SearchBoxProps {
  readonly value: string | undefined;
  readonly onSearch: (text: string | undefined) => void;
}

const TYPING_MS = 120;

/** A search field whose text goes into the address when typing pauses. */
export function SearchBox({ value, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value ?? '');
  const search = useRef(onSearch);
  useEffect(() => {
    search.current = onSearch;
  });
  /** Texts that are on their way into the address, oldest first. */
  const sent = useRef<readonly string[]>([]);
  useEffect(() => {
    const now = value ?? '';
    const at = sent.current.indexOf(now);
    // What comes back from here says nothing new: somebody may have typed on.
    if (at === -1) setText(now);
    sent.current = at === -1 ? [] : sent.current.slice(at + 1);
  }, [value]);
  useEffect(() => {
    if (text === (value ?? '')) return undefined;
    const timer = setTimeout(() => {
      sent.current = [...sent.current, text];
      search.current(text === '' ? undefined : text);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <label>
      <span>Search</span>
      <input type="search" value={text} onChange={({ target }) => setText(target.value)} />
    </label>
  );
}
