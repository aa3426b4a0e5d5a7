import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// The Host stays as the browser sent it: in development mode the hub refuses pages whose Origin is another.
const HUB = { target: 'http://127.0.0.1:7780', changeOrigin: false };

/** What is written by hand in the client. */
const SHARED_BY_OPERATIONS = /packages[\\/]client[\\/]src[\\/][\w-]+\.ts$/;

export default defineConfig({
  plugins: [react()],
  resolve: { conditions: ['source', 'module', 'browser', 'production'] },
  // `npx vite packages/console`: the pages as they are written, the API of a hub beside it.
  server: { proxy: { '/api': HUB, '/avatars': HUB } },
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
    // Within the entry, what all operations of the client share would make circles of chunks, which Vite answers with many.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'client', test: SHARED_BY_OPERATIONS }] } } },
  },
});
