import * as z from 'zod';
import { flag, wholeNumber } from './forms.ts';
import { setting } from './setting.ts';

export const MirrorSettings = z.object({
  enabled: setting(
    'MOONBASE_MIRRORS',
    flag.prefault('true'),
    'Whether repositories may follow a repository elsewhere. `false`: mirrors are neither set up nor synced. See [mirrors.md](mirrors.md).',
  ),
  minIntervalSeconds: setting(
    'MOONBASE_MIRROR_MIN_INTERVAL',
    wholeNumber(30 * 86_400, 1).prefault('60'),
    'Shortest interval at which a mirror may follow its remote, in seconds.',
  ),
  maxSyncs: setting(
    'MOONBASE_MAX_MIRROR_SYNCS',
    wholeNumber(100, 1).prefault('4'),
    'Mirrors that one process syncs at the same time; one user has at most half of these places.',
  ),
});
