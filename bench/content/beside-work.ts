// node beside-work.ts HUB_URL WORK REPO COUNT: loads a hub from a process of its own, so that the process that measures
// is idle. WORK is `commits` of COUNT files, an `upload` of COUNT MiB, or a `download` of the file at the path REPO.
// Prints `ready`, begins with the first message of its parent, and prints `done`.
import { once } from 'node:events';
import { ACCESS_TOKEN } from '../hub.ts';
import { commitOneByOne } from './commits.ts';
import { fetchBytes } from './fetching.ts';
import { largeFile, put, uploadUrl } from './large-file.ts';

const [hubUrl = '', work = '', repo = '', countText = '0'] = process.argv.slice(2);
const count = Number(countText);
const hub = { url: new URL(hubUrl), connection: { hubUrl, accessToken: ACCESS_TOKEN } };
const begun = once(process, 'message');

if (work === 'upload') {
  const file = largeFile(count);
  const url = await uploadUrl(hub, repo, file);
  console.log('ready');
  await begun;
  await put(url, file);
} else {
  console.log('ready');
  await begun;
  if (work === 'commits') await commitOneByOne(hub, repo, count, 'beside');
  else await fetchBytes(new URL(repo), { authorization: `Bearer ${ACCESS_TOKEN}` });
}
console.log('done');
process.disconnect();
