import '@mantine/core/styles.css';
import './console.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { queries } from './session/queries.ts';
import { SessionProvider } from './session/session.tsx';
import { theme } from './theme.ts';

/** Of this answer of the hub: styles that the kit makes at run time carry it. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
// Where the kit's dialogs look for it. Schemas that try to compile themselves would be refused, and reported.
Object.assign(globalThis, { __webpack_nonce__: nonce, __zod_globalConfig: { jitless: true } });
const root = document.getElementById('root');

if (root)
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
        <QueryClientProvider client={queries}>
          <SessionProvider>
            <App />
          </SessionProvider>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
