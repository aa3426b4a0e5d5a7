import type { ReadExecutor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import type { PageOf } from '../platform/http/pagination.ts';

/** The user whose data is read. */
export interface Subject {
  readonly read: ReadExecutor;
  readonly userId: string;
  /** The user as a caller with all rights, for lists of other slices. */
  readonly asUser: Caller;
}

/** A part of an export: pages of items of one kind. */
export interface Section {
  readonly name: string;
  readonly pages: (subject: Subject) => AsyncIterable<readonly object[]>;
}

/** A page of the rows of a user, in the order of a key; `after` is the last row of the previous page. */
export interface Page<Key> {
  readonly userId: string;
  readonly after: Key | undefined;
  readonly limit: number;
}

const PAGE = 100;

interface Stored<Row> {
  readonly rows: (executor: ReadExecutor, page: Page<Row>) => Promise<Row[]>;
  readonly present: (row: Row, subject: Subject) => object;
  /** The rows of a page, fewer where rows are large. */
  readonly limit?: number;
}

/** A section of rows, read by a key that an index has after the user. */
export const stored = <Row>(name: string, { rows, present, limit = PAGE }: Stored<Row>): Section => ({
  name,
  async *pages(subject) {
    let page: Row[];
    let after: Row | undefined;
    do {
      page = await rows(subject.read, { userId: subject.userId, after, limit });
      yield page.map((row) => present(row, subject));
      after = page.at(-1);
    } while (page.length === limit);
  },
});

/** Returns a page of a list of another slice. */
export type ListPages = (
  caller: Caller,
  page: { readonly cursor: string | undefined; readonly limit: number },
) => Promise<PageOf<object>>;

/** A section that another slice lists page by page. */
export const paged = (name: string, list: ListPages): Section => ({
  name,
  async *pages({ asUser }) {
    let cursor: string | undefined;
    do {
      const { items, next } = await list(asUser, { cursor, limit: PAGE });
      yield items;
      cursor = next;
    } while (cursor !== undefined);
  },
});

/** Returns a list of another slice, of which users have few items. */
export type ListAll = (caller: Caller) => Promise<readonly object[]>;

/** A section that another slice lists at once. */
export const listed = (name: string, list: ListAll): Section => ({
  name,
  async *pages({ asUser }) {
    yield await list(asUser);
  },
});

/** A section of one item. */
export const single = (name: string, get: (subject: Subject) => Promise<object | undefined>): Section => ({
  name,
  async *pages(subject) {
    const item = await get(subject);
    yield item === undefined ? [] : [item];
  },
});
