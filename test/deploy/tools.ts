import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The linters for deploy/ are in a virtual environment below node_modules. */
const root = fileURLToPath(new URL('../..', import.meta.url));

export const ENVIRONMENT = join(root, 'node_modules/.cache/moonbase-deploy-tools');
export const MARK = join(ENVIRONMENT, 'installed');
export const REQUIREMENTS = join(root, 'test/deploy/requirements.txt');
export const DEPLOY = join(root, 'deploy');

export const tool = (name: string): string => join(ENVIRONMENT, 'bin', name);
