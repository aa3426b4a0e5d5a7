import type { Config } from '../config.ts';
import { bucketFault } from '../platform/blobs/s3/s3-check.ts';
import type { SingleSignOn } from '../single-sign-on/index.ts';

interface Dependencies {
  readonly config: Config;
  readonly singleSignOn: Pick<SingleSignOn, 'faultOfHubProvider'>;
}

/**
 * Creates the check of the services outside that the settings name: the bucket and the OpenID provider. Returns a sentence,
 * with setting and remedy, for each that cannot be used; such a hub starts all the same.
 */
export const createOutsideFaults =
  ({ config, singleSignOn }: Dependencies) =>
  async (): Promise<string[]> => {
    const { s3 } = config.largeFiles;
    const provider = await singleSignOn.faultOfHubProvider();
    const faults = [
      // Signatures use the real time.
      s3 && (await bucketFault(s3, () => Date.now())),
      provider && `MOONBASE_OIDC_ISSUER: ${provider}. Correct the setting, or see that the provider runs.`,
    ];
    return faults.filter((fault) => fault !== undefined);
  };
