import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRepo } from '@moonbase/client/repositories';
import { getMetrics } from '@moonbase/client/service';
import { expect, onTestFinished, test } from 'vitest';
import { DEBIAN_ENVIRONMENT, fromDebian } from './debian.ts';
import { ADMIN, startLoggedHub } from './logged-hub.ts';
import { DEPLOY } from './tools.ts';

const promtool = (args: readonly string[], input = '') =>
  spawnSync(fromDebian('usr/bin/promtool'), args, { encoding: 'utf8', input, env: DEBIAN_ENVIRONMENT });

test('promtool finds no fault in the metrics of a hub that was used, nor in the rules of alerts, which name metrics of the hub', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'moonbase-metrics-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await using hub = await startLoggedHub(folder);
  const admin = { hubUrl: hub.url, accessToken: ADMIN };
  await createRepo({ ...admin, type: 'model', repo: 'admin/toy' });
  await getMetrics(admin);
  const text = await getMetrics(admin);
  expect(promtool(['check', 'metrics'], text)).toMatchObject({ status: 0, stdout: '', stderr: '' });
  const rules = join(DEPLOY, 'prometheus/alerts.yaml');
  expect(promtool(['check', 'rules', rules])).toMatchObject({ status: 0, stderr: '' });
  const families = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  for (const file of [rules, join(DEPLOY, 'grafana/moonbase.json')]) {
    const named = readFileSync(file, 'utf8').match(/\b(moonbase|nodejs|process)_[a-z_]+\b/g) ?? [];
    expect(named.length).toBeGreaterThan(10);
    const unknown = named.filter(
      (name) => !families.has(name) && !families.has(name.replace(/_(bucket|sum|count)$/, '')),
    );
    expect([...new Set(unknown)], file).toEqual([]);
  }
});
