import type { Readable } from 'node:stream';
import { type ImageReference, referenceOf } from '../image-policy.ts';
import { LaunchFailure, NotYet } from '../runner.ts';
import { type Engine, EngineFault } from './engine.ts';

/** How long an engine may report no progress before the pull counts as failed. */
const SILENCE_MS = 600_000;
/** How long a pull continues after a job last asked for the image. */
const MAX_UNWANTED_MS = 30_000;
const MAX_MESSAGE = 500;

interface Pull {
  /** Undefined while the pull goes on. */
  outcome?: { readonly fault: string | undefined };
  readonly unwanted: NodeJS.Timeout;
  readonly stopping: AbortController;
}

/** Returns a text of an engine as one line, short enough for a message. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, MAX_MESSAGE);

/** Reads the progress of a pull, one JSON object per line, to its end. Returns the last reported error. */
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
    const { error, errorDetail }: { error?: unknown; errorDetail?: { message?: unknown } } = JSON.parse(line);
    const fault = errorDetail?.message ?? error;
    return typeof fault === 'string' ? fault : JSON.stringify(fault);
  } catch {
    return undefined;
  }
}

/** Pulls images: one pull per image at a time, however many jobs wait for it. */
export function createPulls(engine: Engine) {
  const pulls = new Map<string, Pull>();
  const keyOf = (image: ImageReference, platform = '') => `${referenceOf(image)} ${platform}`;

  function end(key: string): void {
    const pull = pulls.get(key);
    clearTimeout(pull?.unwanted);
    pull?.stopping.abort();
    pulls.delete(key);
  }

  async function pull(image: ImageReference, platform: string | undefined, signal: AbortSignal) {
    const { name, tag = 'latest', digest = tag } = image;
    const query = { fromImage: name, tag: digest, ...(platform !== undefined && { platform }) };
    try {
      return await faultIn(await engine.stream('POST', '/images/create', { query, patienceMs: SILENCE_MS, signal }));
    } catch (error) {
      return error instanceof EngineFault ? error.message : 'the engine broke it off';
    }
  }

  return {
    /** Begins to pull an image, then throws a `NotYet`. */
    begin(image: ImageReference, platform: string | undefined): never {
      const key = keyOf(image, platform);
      const stopping = new AbortController();
      const current: Pull = { stopping, unwanted: setTimeout(() => end(key), MAX_UNWANTED_MS).unref() };
      pulls.set(key, current);
      void pull(image, platform, stopping.signal).then((fault) => {
        current.outcome = { fault };
      });
      throw new NotYet(`The image ${referenceOf(image)} is being pulled`);
    },

    /**
     * Returns whether a pull of this image has succeeded, and forgets the pull. Throws a `NotYet` while the pull
     * continues, and a `LaunchFailure` if it has failed.
     */
    takePulled(image: ImageReference, platform: string | undefined): boolean {
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
      throw new LaunchFailure(`The image ${referenceOf(image)} could not be pulled: ${oneLine(fault)}`);
    },

    close(): void {
      for (const key of [...pulls.keys()]) end(key);
    },
  };
}
