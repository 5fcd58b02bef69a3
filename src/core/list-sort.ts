/** How a list of the store is sorted. Equal values follow by id, in the same direction. */
export interface ListSort {
  readonly by: 'created_at' | 'updated_at' | 'name';
  readonly direction: 'up' | 'down';
}

/** Where a page of such a list begins: behind the item with this value and id. */
export interface SortPlace {
  readonly value: string;
  readonly id: string;
}

/** A page of a list of items that can be archived. */
export interface SortedPage {
  readonly limit: number;
  readonly after?: SortPlace | undefined;
  /** Absent: archived or not. */
  readonly isArchived?: boolean | undefined;
  /** Absent: the oldest first. */
  readonly sort?: ListSort | undefined;
}
