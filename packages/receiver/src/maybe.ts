/** A value, or the promise of one. A promise costs more than the rest of a request, and most requests need none. */
export type MaybePromise<T> = T | Promise<T>;

export const isPromise = <T>(value: MaybePromise<T>): value is Promise<T> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

/** Applies `next` to a value, at once where the value is not a promise. */
export const chain = <T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> =>
  isPromise(value) ? value.then(next) : next(value);

/** Returns all values, at once where none is a promise. */
export const all = <T>(values: MaybePromise<T>[]): MaybePromise<T[]> =>
  values.every(isSettled) ? values : Promise.all(values);

const isSettled = <T>(value: MaybePromise<T>): value is T => !isPromise(value);
