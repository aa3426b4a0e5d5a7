import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { memoize } from '../memoize.ts';
import { locate, type Place, type SourceMap } from './source-map.ts';

/** The places in the frames of a stack trace: URL, line and column. */
const PLACES = /(file:\/\/[^\s()]+):(\d+):(\d+)/g;

function mapBeside(url: string): SourceMap | undefined {
  try {
    return JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Returns what the places in a file are in its sources, as texts by the texts of the places. */
function originsIn(url: string, places: readonly Place[]): (readonly [string, string])[] {
  const map = mapBeside(url);
  return !map
    ? []
    : locate(places, map.mappings).flatMap(([{ line, column }, origin]) => {
        const source = origin && map.sources[origin.source];
        if (!source) return [];
        return [[`${url}:${line}:${column}`, `${new URL(source, url).href}:${origin.line}:${origin.column}`] as const];
      });
}

/**
 * Returns the frames of a stack trace with the lines of the sources, by the maps beside the files that run. `--enable-source-maps`
 * would map each stack trace that is read, also by streams that an error ends, and decode all maps for that.
 */
export const inSources = memoize(256, (frames: string): string => {
  const places = new Map<string, Place[]>();
  for (const [, url = '', line, column] of frames.matchAll(PLACES))
    places.set(url, [...(places.get(url) ?? []), { line: Number(line), column: Number(column) }]);
  const origins = new Map([...places].flatMap(([url, wanted]) => originsIn(url, wanted)));
  return frames.replace(PLACES, (place) => origins.get(place) ?? place);
});
