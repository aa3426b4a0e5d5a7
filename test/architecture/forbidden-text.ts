import { codeOf } from './imports.ts';
import { SERVER } from './server-layout.ts';
import { isTypeScript, productSources, type SourceTree } from './source-tree.ts';

const ENVIRONMENT = /\bprocess\s*(\??\.\s*env\b|\[\s*['"`]env)|\benv\b[^;()]*\bfrom\s*['"](node:)?process['"]/;
const ENVIRONMENT_MEMBER = /\bprocess\s*\??\.\s*env\s*(\??\.|\[)/;
const EXIT = /\bprocess\s*\??\.\s*exit\s*\(/;
const DEFAULT_EXPORT = /^[ \t]*export\s+default\b|^[ \t]*export\s*\{[^}]*\bdefault\s*[,}]/m;

/** Only config.ts reads the environment; main.ts may pass it on whole. */
export function environmentInConfigOnly(tree: SourceTree): string[] {
  return serverCode(tree)
    .filter(([path]) => path !== `${SERVER}config.ts`)
    .filter(([path, code]) => (path === `${SERVER}main.ts` ? ENVIRONMENT_MEMBER : ENVIRONMENT).test(code))
    .map(([path]) => `${path} reads process.env; config.ts is its only reader`);
}

/** The hub ends by releasing everything that it holds, never by process.exit. */
export function noExit(tree: SourceTree): string[] {
  return serverCode(tree)
    .filter(([, code]) => EXIT.test(code))
    .map(([path]) => `${path} calls process.exit; set process.exitCode and stop`);
}

export function namedExportsOnly(tree: SourceTree): string[] {
  return [...tree]
    .filter(([path, text]) => isTypeScript(path) && !path.endsWith('.config.ts') && DEFAULT_EXPORT.test(codeOf(text)))
    .map(([path]) => `${path} has a default export`);
}

function serverCode(tree: SourceTree): [path: string, code: string][] {
  return productSources(tree)
    .filter(([path]) => path.startsWith(SERVER))
    .map(([path, text]) => [path, codeOf(text)]);
}
