import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

interface Site extends NodeJS.CallSite {
  /** Returns the site as a line of a stack trace has it. */
  toString(): string;
}

/** Returns the map that stands beside a file, whose URL is given. */
function mapBeside(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')));
  } catch {
    return undefined;
  }
}

function textOf(error: unknown): string {
  try {
    return String(error);
  } catch {
    return 'An error without a text';
  }
}

/**
 * Lets stack traces name the lines of the sources, by the maps beside the files that run. A map is read for the first
 * stack trace that needs it; with `--enable-source-maps`, Node.js reads all of them at the start and keeps 20 MB.
 */
export function traceToSources(): void {
  const maps = new Map<string, SourceMap | undefined>();
  function mapOf(url: string): SourceMap | undefined {
    if (!maps.has(url)) maps.set(url, mapBeside(url));
    return maps.get(url);
  }
  function placeOf(site: Site): string {
    const url = site.getScriptNameOrSourceURL();
    const [line, column] = [site.getLineNumber(), site.getColumnNumber()];
    if (!url?.startsWith('file:') || line === null || column === null) return site.toString();
    const entry = mapOf(url)?.findEntry(line - 1, column - 1);
    // A dependency has no place in the map.
    if (!entry || !('originalSource' in entry) || !entry.originalSource) return site.toString();
    const { originalSource, originalLine, originalColumn } = entry;
    const place = `${new URL(originalSource, url).href}:${originalLine + 1}:${originalColumn + 1}`;
    return site.toString().replace(`${url}:${line}:${column}`, place);
  }
  Error.prepareStackTrace = (error, sites: Site[]) =>
    [textOf(error), ...sites.map((site) => `    at ${placeOf(site)}`)].join('\n');
}
