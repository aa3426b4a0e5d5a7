// npm run test:client -- SOURCE [ARGUMENT OF PYTEST…]
// Runs tests of huggingface_hub itself against a fresh hub. SOURCE is a checkout of its repository.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { applyHub } from '@moonbase/client/admin';
import { startHubProcess } from '../hub-process.ts';
import { programOf } from './python-clients.ts';

const ADMIN_TOKEN = 'hf_administratorOfTheWorld';

/** What `tests/testing_constants.py` names; those of the public hub have names or tokens that this hub refuses. */
const CONSTANTS = {
  USER: 'DummyHubUser',
  FULL_NAME: 'Dummy User',
  TOKEN: 'hf_HubCITokenXXXXXXXXXXXXXXXXXXXXX',
  OTHER_USER: 'DVUser',
  OTHER_TOKEN: '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',
  ENTERPRISE_USER: 'EnterpriseAdmin',
  ENTERPRISE_ORG: 'EnterpriseOrgPrivate',
  ENTERPRISE_TOKEN: 'hf_enterpriseAdminToken',
};

const user = (name: string, token: string, fullname = name) => ({
  name,
  fullname,
  email: `${name.toLowerCase()}@example.com`,
  tokens: [{ name: 'tests', role: 'write' as const, token }],
});

const DOCUMENT = {
  users: [
    user(CONSTANTS.USER, CONSTANTS.TOKEN, CONSTANTS.FULL_NAME),
    user(CONSTANTS.OTHER_USER, CONSTANTS.OTHER_TOKEN),
    user(CONSTANTS.ENTERPRISE_USER, CONSTANTS.ENTERPRISE_TOKEN),
  ],
  organizations: [
    {
      name: 'valid-org-hub',
      fullname: 'Dummy Hub Org',
      members: [{ user: CONSTANTS.USER, role: 'admin' as const }],
    },
    {
      name: CONSTANTS.ENTERPRISE_ORG,
      plan: 'enterprise' as const,
      defaultRepoVisibility: 'private' as const,
      members: [{ user: CONSTANTS.ENTERPRISE_USER, role: 'admin' as const }],
    },
  ],
};

/** The files about repositories and buckets, and what is in them. */
const FILES = [
  ...['test_hf_api', 'test_commit_api', 'test_commit_scheduler', 'test_repocard', 'test_file_download'],
  ...['test_snapshot_download', 'test_hf_file_system', 'test_cache_layout', 'test_tree_cache', 'test_xet_upload'],
  ...['test_buckets', 'test_buckets_cli', 'test_buckets_hf_file_system', 'test_copy_files'],
].map((name) => `tests/${name}.py`);

const [source, ...given] = process.argv.slice(2);
if (source === undefined) throw new Error('Usage: npm run test:client -- SOURCE [ARGUMENT OF PYTEST…]');
const chosen = given.length > 0 ? given : FILES;
const folder = await mkdtemp(join(tmpdir(), 'moonbase-client-tests-'));
const hub = await startHubProcess({ MOONBASE_DATA_DIR: join(folder, 'data'), MOONBASE_ADMIN_TOKEN: ADMIN_TOKEN });
try {
  await applyHub({ hubUrl: hub.url, accessToken: ADMIN_TOKEN, document: DOCUMENT });
  const python = spawn(
    programOf('client-tests', 'python'),
    ['-m', 'pytest', '-p', 'client_tests', '-o', 'addopts=-Werror::FutureWarning --strict-markers', '-ra', ...chosen],
    {
      cwd: resolve(source),
      stdio: 'inherit',
      env: {
        PATH: process.env.PATH,
        PYTHONPATH: [fileURLToPath(new URL('python', import.meta.url)), resolve(source)].join(delimiter),
        PYTHONDONTWRITEBYTECODE: '1',
        HOME: folder,
        HF_ENDPOINT: hub.url,
        HF_HUB_DISABLE_TELEMETRY: '1',
        MOONBASE_TEST_CONSTANTS: JSON.stringify({ ...CONSTANTS, ENDPOINT_STAGING: hub.url }),
      },
    },
  );
  const [status] = (await once(python, 'exit')) as [number | null];
  process.exitCode = status ?? 1;
} finally {
  await hub.stop();
  await rm(folder, { recursive: true, force: true });
}
