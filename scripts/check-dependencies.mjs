// Checks the packages of the lock file: node scripts/check-dependencies.mjs [FOLDER]
// Their integrity, the licences of those that are shipped, and what the registry knows of their vulnerabilities.
import { spawnSync } from 'node:child_process';
import { lockedPackages } from './locked.mjs';

/**
 * The licences that a service under Apache-2.0 may ship; the only LGPL package is libvips, a separate library beside
 * sharp.
 */
const LICENCES = new Set([
  ...['Apache-2.0', 'MIT', 'MIT-0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0', 'PSF-2.0'],
  'LGPL-3.0-or-later',
]);

const folder = process.argv[2] ?? '.';
const foreign = lockedPackages(folder).filter(({ own }) => !own);
const faults = [];

for (const { path, integrity, resolved } of foreign) {
  if (!/^sha512-/.test(integrity ?? '')) faults.push(`${path} has no sha512 integrity hash in the lock file`);
  if (resolved?.startsWith('http:')) faults.push(`${path} is fetched without TLS`);
}

const shipped = foreign.filter(({ dev }) => !dev);
/** Of `(MIT OR GPL-3.0)` one licence must be allowed, of `MIT AND ISC` both. */
const allowed = (licence) =>
  licence
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((each) => LICENCES.has(each.trim())));
for (const { path, version, license } of shipped)
  if (!allowed(String(license ?? 'none'))) faults.push(`${path}@${version} has the licence ${license ?? 'none'}`);

const { stdout } = spawnSync(
  'npm',
  ['audit', '--omit', 'dev', '--json', '--fetch-retries=0', '--fetch-timeout=20000'],
  {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  },
);
const report = reportOf(stdout);
for (const { name, severity, via } of Object.values(report?.vulnerabilities ?? {})) {
  const titles = via.map((each) => (typeof each === 'string' ? `by ${each}` : `${each.title} ${each.url}`)).join('; ');
  if (severity === 'high' || severity === 'critical') faults.push(`${name} is vulnerable (${severity}): ${titles}`);
  else console.log(`Note: ${name} is vulnerable (${severity}): ${titles}`);
}

/** Returns the report of the registry, or undefined without one. */
function reportOf(text) {
  try {
    const answer = JSON.parse(text);
    return answer.auditReportVersion === undefined ? undefined : answer;
  } catch {
    return undefined;
  }
}

if (!report) console.log('Not looked up: vulnerabilities. The audit endpoint of the registry did not answer.');
for (const fault of faults) console.error(`Dependencies: ${fault}`);
if (faults.length > 0) process.exitCode = 1;
else
  console.log(
    `${foreign.length} locked packages have an integrity hash, ${shipped.length} that are shipped an allowed licence${report ? ' and no vulnerability of severity high or above' : ''}.`,
  );
