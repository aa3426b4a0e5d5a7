import { Badge, type CSSVariablesResolver, createTheme } from '@mantine/core';

/** The library's red, with a shade for buttons on which white text is legible (WCAG 2.2, 1.4.3). */
const RED = [
  ...(['#fff5f5', '#ffe3e3', '#ffc9c9', '#ffa8a8', '#ff8787', '#ff6b6b', '#fa5252', '#d12f2f', '#c92a2a'] as const),
  '#b02525',
] as const;

export const theme = createTheme({
  colors: { red: RED },
  primaryColor: 'indigo',
  primaryShade: 7,
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  components: {
    Badge: Badge.extend({ defaultProps: { variant: 'light', tt: 'none', fw: 600, radius: 'sm' } }),
    // The head of a dialog would count as a second banner of the page.
    ModalHeader: { defaultProps: { role: 'none' } },
  },
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.125rem' } } },
});

/** Colours in place of the library's own, which are too pale to read (WCAG 2.1, 1.4.3). */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': '#c92a2a',
    // Legible on a row under the pointer as well (WCAG 2.2, 1.4.3).
    '--mantine-color-anchor': 'var(--mantine-color-indigo-8)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-3)',
    '--mantine-color-error': '#ff8787',
  },
});
