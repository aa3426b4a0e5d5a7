// `npm start` compiles the sources and becomes the hub in the same process, so that signals reach it directly.
import './build.mjs';

await import('../packages/server/dist/main.js');
