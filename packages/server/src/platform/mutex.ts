import { createKeyedSemaphore, createSemaphore, type KeyedSemaphore, type Semaphore } from './concurrency/semaphore.ts';

/** Runs the work of one key sequentially, and the work of different keys concurrently. */
export type KeyedMutex = KeyedSemaphore;

/** Creates an independent mutex for each key. Work that fails does not block the work behind it. */
export const createKeyedMutex = (): KeyedMutex => createKeyedSemaphore({ atOnce: 1 });

/** Creates a mutex: runs all work sequentially. */
export const createMutex = (): Semaphore => createSemaphore({ atOnce: 1 });
