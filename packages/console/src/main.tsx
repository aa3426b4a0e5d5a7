import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/global.layer.css';
import './console.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { queries } from './session/queries.ts';
import { SessionProvider } from './session/session.tsx';
import { theme, variables } from './theme.ts';

/** The nonce of this page for styles that the component library adds at run time. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
// The library's dialogs read the nonce here; the content security policy forbids schemas that compile themselves.
Object.assign(globalThis, { __webpack_nonce__: nonce, __zod_globalConfig: { jitless: true } });
// Earlier versions stored the access token here.
for (const storage of [sessionStorage, localStorage]) storage.removeItem('moonbase.access-token');
// A build adds the styles of each component where it is used.
if (import.meta.env.DEV) void import('@mantine/core/styles.layer.css');
const root = document.getElementById('root');

if (root)
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        // The library makes all its variables from the theme, so that none come as styles.
        deduplicateCssVariables={false}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queries}>
          <SessionProvider>
            <App />
          </SessionProvider>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
