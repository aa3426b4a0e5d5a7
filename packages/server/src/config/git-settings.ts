import * as z from 'zod';
import { wholeNumber } from './forms.ts';
import { setting } from './setting.ts';

export const GitSettings = z.object({
  store: setting(
    'MOONBASE_GIT_STORE',
    z.enum(['folder', 'bucket']).prefault('folder'),
    'Where git objects are: in the data folder, or in the bucket of `MOONBASE_S3_ENDPOINT` with the data folder as a cache, so that processes share no disk. `moonbase git-to-bucket` moves those of an existing hub. See [replicas.md](replicas.md#git-in-a-bucket).',
  ),
  cacheMebibytes: setting(
    'MOONBASE_GIT_CACHE_MIB',
    wholeNumber(1_000_000_000, 1).prefault('20480'),
    'MiB of git objects that each process keeps in its data folder if they are in a bucket; the repositories that were used longest ago go first.',
  ),
});
