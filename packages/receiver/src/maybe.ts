/** What is there already, or later. A promise costs more than all the rest of a request; most are not needed. */
export type Maybe<T> = T | Promise<T>;

export const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

/** `next` of a value, as soon as it is there. */
export const chain = <T, U>(value: Maybe<T>, next: (value: T) => Maybe<U>): Maybe<U> =>
  isPromise(value) ? value.then(next as (value: unknown) => Maybe<U>) : next(value as T);

/** The value of each. */
export const all = <T>(values: Maybe<T>[]): Maybe<T[]> =>
  values.some(isPromise) ? Promise.all(values) : (values as T[]);
