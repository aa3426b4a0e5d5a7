import type { z } from 'zod';
import { TransientFault } from '../queue/fault.ts';
import { readStored } from '../stored-form.ts';

/** A kind of event and the type of its data. The slice that records the events defines the topic in its `events.ts`. */
export interface Topic<Data> {
  /** The name in the rows of events and dead letters. */
  readonly name: string;
  readonly write: (data: Data) => string;
  /** Parses the data of a stored event. Throws if the data does not match the topic. */
  readonly read: (text: string) => Data;
}

interface Definition<Data> {
  readonly name: string;
  /** The version of recorded events: raised when earlier releases cannot read the new form. */
  readonly version: number;
  /** Accepts every form in which events were ever recorded. */
  readonly data: z.ZodType<Data>;
}

export function defineTopic<Data extends object>({ name, version, data: schema }: Definition<Data>): Topic<Data> {
  return {
    name,
    write: (data) => JSON.stringify(version === 1 ? data : { ...data, version }),
    read(text) {
      const stored: unknown = JSON.parse(text);
      const recorded = versionOf(stored);
      // A newer process of the hub recorded the event and will react to it.
      if (recorded > version)
        throw new TransientFault(`This hub does not know version ${recorded} of the topic ${name}`);
      return readStored(schema, stored, `An event of the topic ${name}`);
    },
  };
}

const versionOf = (stored: unknown): number =>
  typeof stored === 'object' && stored !== null && 'version' in stored && typeof stored.version === 'number'
    ? stored.version
    : 1;
