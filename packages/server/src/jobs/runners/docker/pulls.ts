import type { Readable } from 'node:stream';
import { type ImageReference, referenceOf } from '../image-policy.ts';
import { LaunchFailure, NotYet } from '../runner.ts';
import { type Engine, EngineFault } from './engine.ts';

/** An engine that tells of no progress for so long has given up. */
const SILENCE_MS = 600_000;
/** A pull that no job has asked about for so long is wanted by none. */
const UNWANTED_MS = 30_000;
const MAX_MESSAGE = 500;

interface Pull {
  /** Undefined while it goes on. */
  outcome?: { readonly fault: string | undefined };
  readonly unwanted: NodeJS.Timeout;
  readonly stopping: AbortController;
}

/** What an engine said, in a line that fits into a message. */
export const said = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, MAX_MESSAGE);

/** Reads the progress of a pull to its end: a line of JSON each, of which one may tell of a fault. */
async function faultIn(progress: Readable): Promise<string | undefined> {
  let fault: string | undefined;
  let line = '';
  for await (const chunk of progress.setEncoding('utf8')) {
    const lines = `${line}${chunk}`.split('\n');
    line = lines.pop() ?? '';
    for (const each of lines) fault = faultOf(each) ?? fault;
  }
  return faultOf(line) ?? fault;
}

function faultOf(line: string): string | undefined {
  if (!line.includes('"error')) return undefined;
  try {
    const { error, errorDetail } = JSON.parse(line) as { error?: unknown; errorDetail?: { message?: unknown } };
    const fault = errorDetail?.message ?? error;
    return typeof fault === 'string' ? fault : JSON.stringify(fault);
  } catch {
    return undefined;
  }
}

/** Images that are being fetched: one at a time of each, however many jobs wait for it. */
export function createPulls(engine: Engine) {
  const pulls = new Map<string, Pull>();
  const keyOf = (image: ImageReference, platform = '') => `${referenceOf(image)} ${platform}`;

  function end(key: string): void {
    const pull = pulls.get(key);
    clearTimeout(pull?.unwanted);
    pull?.stopping.abort();
    pulls.delete(key);
  }

  async function fetched(image: ImageReference, platform: string | undefined, signal: AbortSignal) {
    const { name, tag = 'latest', digest = tag } = image;
    const query = { fromImage: name, tag: digest, ...(platform !== undefined && { platform }) };
    try {
      return await faultIn(await engine.stream('POST', '/images/create', { query, patienceMs: SILENCE_MS, signal }));
    } catch (error) {
      return error instanceof EngineFault ? error.message : 'the engine broke it off';
    }
  }

  return {
    /** Has an image fetched, and throws a `NotYet`. */
    begin(image: ImageReference, platform: string | undefined): never {
      const key = keyOf(image, platform);
      const stopping = new AbortController();
      const pull: Pull = { stopping, unwanted: setTimeout(() => end(key), UNWANTED_MS).unref() };
      pulls.set(key, pull);
      void fetched(image, platform, stopping.signal).then((fault) => {
        pull.outcome = { fault };
      });
      throw new NotYet(`The image ${referenceOf(image)} is being pulled`);
    },

    /**
     * Whether it has been fetched since it was last asked for. Throws a `NotYet` while that goes on, and a
     * `LaunchFailure` where it failed.
     */
    pulled(image: ImageReference, platform: string | undefined): boolean {
      const key = keyOf(image, platform);
      const pull = pulls.get(key);
      if (!pull) return false;
      if (!pull.outcome) {
        pull.unwanted.refresh();
        throw new NotYet(`The image ${referenceOf(image)} is being pulled`);
      }
      const { fault } = pull.outcome;
      end(key);
      if (fault === undefined) return true;
      throw new LaunchFailure(`The image ${referenceOf(image)} could not be pulled: ${said(fault)}`);
    },

    close(): void {
      for (const key of [...pulls.keys()]) end(key);
    },
  };
}
