import { Writable } from 'node:stream';
import { createLogger } from '../src/platform/logger.ts';

/** Creates a logger that keeps its lines. */
export function keepingLogger(level: Parameters<typeof createLogger>[0]['level']) {
  const lines: string[] = [];
  const to = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { lines, logger: createLogger({ level, role: 'all', format: 'json', to }) };
}
