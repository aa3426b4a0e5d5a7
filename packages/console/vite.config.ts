import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { leanStyles, stylesOfComponents } from './build/library-styles.ts';

// The Host stays as the browser sent it: in development mode the hub refuses pages whose Origin is another.
const HUB = { target: 'http://127.0.0.1:7780', changeOrigin: false };

/** What is written by hand in the client. */
const SHARED_BY_OPERATIONS = /packages[\\/]client[\\/]src[\\/][\w-]+\.ts$/;

/** The components of the library that every page shows, and those of forms and dialogs, which most pages have. */
const ofLibrary = (names: string) =>
  new RegExp(`[\\\\/]@mantine[\\\\/]core[\\\\/]esm[\\\\/]components[\\\\/](?:${names})[\\\\/]`);
const SHELL = ofLibrary(
  'Alert|Anchor|AppShell|Avatar|Badge|Burger|Button|Center|Code|Group|Kbd|Loader|NavLink|Paper|Skeleton|Stack|Text|Title|UnstyledButton|VisuallyHidden',
);
/** The styles that `main.tsx` imports. */
const OF_EVERY_PAGE = /[\\/](?:(?:baseline|global)\.layer|console)\.css$/;
const FIELDS = ofLibrary(
  'Autocomplete|Checkbox|CloseButton|Combobox|FocusTrap|Input|InputBase|Modal|ModalBase|Overlay|Popover|ScrollArea|Select|TextInput|Textarea',
);

export default defineConfig({
  plugins: [react(), stylesOfComponents],
  resolve: {
    conditions: ['source', 'module', 'browser', 'production'],
    alias: { entities: fileURLToPath(new URL('src/ui/markdown/entities.ts', import.meta.url)) },
  },
  css: { postcss: { plugins: [leanStyles] } },
  // `npx vite packages/console`: the pages as they are written, the API of a hub beside it.
  server: { proxy: { '/api': HUB, '/avatars': HUB } },
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Within the entry, what all operations of the client share would make circles of chunks, which Vite answers with many.
            { name: 'client', test: SHARED_BY_OPERATIONS },
            // Few larger files are smaller than many, compressed.
            { name: 'shell', test: (id) => SHELL.test(id) || OF_EVERY_PAGE.test(id) },
            { name: 'fields', test: FIELDS },
          ],
        },
      },
    },
  },
});
