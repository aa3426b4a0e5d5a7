import * as z from 'zod';
import { defineTopic } from '../src/platform/events/topic.ts';
import { defineTask } from '../src/platform/queue/tasks.ts';

/** Defines a topic whose events may have any data. */
export const anyTopic = (name: string) => defineTopic({ name, version: 1, data: z.looseObject({}) });

/** Defines a kind of task that may have any data. */
export const anyTask = (name: string) => defineTask(name, z.unknown());
