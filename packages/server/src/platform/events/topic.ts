import type { z } from 'zod';
import { PassingFault } from '../queue/fault.ts';
import { readStored } from '../stored-form.ts';

/** A kind of event, and what its events say. The slice that records them defines it in its `events.ts`. */
export interface Topic<Data> {
  /** Stands in the rows of events and of dead letters. */
  readonly name: string;
  readonly write: (data: Data) => string;
  /** Returns the data of a stored event. Throws where it has no form of the topic. */
  readonly read: (text: string) => Data;
}

interface Definition<Data> {
  readonly name: string;
  /** The form in which events are recorded: raised where the releases before cannot read it. */
  readonly version: number;
  /** Reads every form in which events were ever recorded. */
  readonly data: z.ZodType<Data>;
}

export function defineTopic<Data extends object>({ name, version, data: schema }: Definition<Data>): Topic<Data> {
  return {
    name,
    write: (data) => JSON.stringify(version === 1 ? data : { ...data, version }),
    read(text) {
      const stored: unknown = JSON.parse(text);
      const recorded = versionOf(stored);
      // A newer process of the hub has recorded the event, and will react to it.
      if (recorded > version) throw new PassingFault(`This hub does not know version ${recorded} of the topic ${name}`);
      return readStored(schema, stored, `An event of the topic ${name}`);
    },
  };
}

const versionOf = (stored: unknown): number =>
  typeof stored === 'object' && stored !== null && 'version' in stored && typeof stored.version === 'number'
    ? stored.version
    : 1;
