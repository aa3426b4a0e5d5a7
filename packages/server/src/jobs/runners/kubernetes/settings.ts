import { readFileSync } from 'node:fs';
import { JobFlavor } from '@moonbase/contract/jobs/specification';
import * as z from 'zod';
import { codeOf } from '../../../platform/error-text.ts';

const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const QUANTITY = /^\d+(\.\d+)?(m|[kMGTPE]|[KMGTPE]i)?$/;
const QUALIFIED_NAME = /^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const LABEL_VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;
/** A relative path with the placeholder `{source}` and, if each revision has a folder, the placeholder `{revision}`. */
const FOLDER = /^(?!.*\/\/)(?!.*(^|\/)\.\.?(\/|$))[^/:\\\p{Cc}][^:\\\p{Cc}]*(?<!\/)$/u;

const dnsLabel = (max: number) =>
  z.string().max(max).regex(DNS_LABEL, 'must be lower-case letters, digits and dashes, as in moonbase-jobs');
const dnsName = z
  .string()
  .max(253)
  .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, 'must be a name of Kubernetes: lower-case letters, digits, dashes, dots');
const qualifiedName = z.string().regex(QUALIFIED_NAME, 'must be a name as labels have it, as in example.com/pool');
const labelValue = z.string().regex(LABEL_VALUE, 'must be a value as labels have it: at most 63 of A-Z a-z 0-9 - _ .');
const quantities = z.record(
  qualifiedName,
  z.string().regex(QUANTITY, 'must be a quantity of Kubernetes, as in 500m, 2 or 16Gi'),
);
const folder = z
  .string()
  .regex(FOLDER, 'must be a relative folder without `.` and `..`, as in models/{source}')
  .refine((text) => text.split('/').filter((part) => part === '{source}').length === 1, 'must have the part {source}')
  .refine((text) => !/[{}]/.test(text.replace('{source}', '').replace('{revision}', '')), 'knows {source}, {revision}');

const Toleration = z.strictObject({
  key: qualifiedName.optional(),
  operator: z.enum(['Equal', 'Exists']).optional(),
  value: labelValue.optional(),
  effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']).optional(),
  tolerationSeconds: z.int().min(0).optional(),
});

const FlavorEntry = z.strictObject({
  requests: quantities.optional(),
  limits: quantities.optional(),
  nodeSelector: z.record(qualifiedName, labelValue).default({}),
  tolerations: z.array(Toleration).default([]),
  runtimeClass: dnsName.optional(),
  priorityClass: dnsName.optional(),
});
export type FlavorEntry = z.output<typeof FlavorEntry>;

const VolumeSettings = z.strictObject({
  claim: dnsName,
  bucket: folder.optional(),
  model: folder.optional(),
  dataset: folder.optional(),
  space: folder.optional(),
});

/** The document of `MOONBASE_KUBERNETES`. */
const Settings = z.strictObject({
  kubeconfig: z.string().min(1).optional(),
  context: z.string().min(1).optional(),
  namespace: dnsLabel(63).optional(),
  hub: dnsLabel(20).default('moonbase'),
  serviceAccount: dnsName.default('default'),
  imagePullSecrets: z.array(dnsName).default([]),
  startSeconds: z.int().min(1).max(86_400).default(900),
  runAsUser: z.int().min(1).max(2_147_483_647).optional(),
  readOnlyRoot: z.boolean().default(false),
  flavors: z
    .partialRecord(JobFlavor, FlavorEntry)
    .refine((table) => Object.keys(table).length > 0, 'must have at least one flavor'),
  volumes: VolumeSettings.optional(),
});
export type KubernetesSettings = z.output<typeof Settings>;

const wrong = (faults: readonly string[]) =>
  new Error(`The settings are wrong:\n${faults.map((fault) => `  MOONBASE_KUBERNETES: ${fault}`).join('\n')}`);

/** Reads the settings from a JSON document or the path of a file with one. Throws one error that names every fault. */
export function readKubernetesSettings(setting: string): KubernetesSettings {
  const result = Settings.safeParse(documentOf(setting));
  if (result.success) return result.data;
  throw wrong(
    result.error.issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message)),
  );
}

function documentOf(setting: string): unknown {
  let text = setting;
  if (!setting.startsWith('{')) {
    try {
      text = readFileSync(setting, 'utf8');
    } catch (error) {
      throw wrong([
        `${setting} cannot be read: ${codeOf(error) ?? 'unknown'}; name a file that this user may read, or give the JSON itself`,
      ]);
    }
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrong([`is no JSON: ${error instanceof Error ? error.message : String(error)}`]);
  }
}
