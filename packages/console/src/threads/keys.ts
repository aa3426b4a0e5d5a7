/** The key of the queries of threads, which a notification makes stale. */
export const THREADS = ['thread'] as const;
