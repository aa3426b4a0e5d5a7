export const records: string;
export function keyOf(paths: readonly string[]): string;
export function isBuilt(name: string, folder: string, key: string): boolean;
export function install(
  name: string,
  folder: string,
  built: { readonly key: string; readonly files: ReadonlyMap<string, Buffer>; readonly only?: boolean },
): void;
export function readFiles(folder: string): Map<string, Buffer>;
