import { existsSync } from 'node:fs';
import type { Plugin } from 'vite';

/** A component of the library, of which the last part of the path is the name. */
const COMPONENT = /[\\/]@mantine[\\/]core[\\/]esm[\\/]components[\\/](?:.+[\\/])?(\w+)\.mjs$/;
const STYLES = /[\\/]@mantine[\\/]core[\\/]styles[\\/][\w-]+\.layer\.css$/;

/** Gives each component of the library its styles, after those of what it is made of, so that pages load what they show. */
export const stylesOfComponents: Plugin = {
  name: 'styles-of-components',
  apply: 'build',
  transform(code, id) {
    const name = COMPONENT.exec(id)?.[1];
    if (name === undefined || !existsSync(id.replace(/\.mjs$/, '.module.mjs'))) return;
    return { code: `${code}\nimport '@mantine/core/styles/${name}.layer.css';`, map: null };
  },
};

/** The parts of PostCSS, which Vite brings, that are used here. */
interface Node {
  remove(): unknown;
}
interface Rule extends Node {
  selectors: string[];
  readonly source?: { readonly input: { readonly file?: string } };
}
interface Declaration extends Node {
  value: string;
  readonly source?: Rule['source'];
}

const isOfLibrary = ({ source }: Rule | Declaration): boolean => STYLES.test(source?.input.file ?? '');

/**
 * Drops from the styles of the library what no page of the console can show, which is text that runs from right to
 * left; the library's scale is 1 and therefore left out of lengths.
 */
export const leanStyles = {
  postcssPlugin: 'lean-styles',
  Rule(rule: Rule) {
    if (!isOfLibrary(rule)) return;
    const kept = rule.selectors.filter((selector) => !/\[dir=["']?rtl/.test(selector));
    if (kept.length === 0) rule.remove();
    else if (kept.length < rule.selectors.length) rule.selectors = kept;
  },
  Declaration(declaration: Declaration) {
    if (isOfLibrary(declaration) && declaration.value.includes('--mantine-scale'))
      declaration.value = unscaled(declaration.value);
  },
};

/** Returns a value without the factor of the scale. */
const unscaled = (value: string): string =>
  value.replace(/calc\((-?[\d.]+(?:rem|px)) \* var\(--mantine-scale\)\)/g, '$1');
