import { given } from '../lib/given.ts';

interface Page<Item> {
  readonly data: readonly Item[];
  readonly next_cursor?: string | null | undefined;
}

/** All items of a list that is read page by page. */
export async function allPages<Item>(
  read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page<Item>>,
): Promise<readonly Item[]> {
  const all: Item[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: Page<Item> = await read({ limit: MOST, ...given({ cursor }) });
    all.push(...page.data);
    cursor = page.next_cursor ?? null;
  }
  return all;
}

/** Items of one page. */
const MOST = 200;
