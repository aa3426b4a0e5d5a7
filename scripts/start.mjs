// `npm start` compiles the sources and becomes the hub in the same process, so that signals reach it directly.
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import './build.mjs';

// From Node.js 22 on, compiled code is kept for the next start.
module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/moonbase-compiled', import.meta.url)));
await import('../packages/server/dist/main.js');
