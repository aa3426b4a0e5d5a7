import * as z from 'zod';
import { dockerUrl } from './job-settings.ts';
import { wrongSettings } from './setting.ts';

/* Variables of other programs that the hub respects. */

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the Docker variables of the environment as settings, unless the hub's own variable is set. */
export function engineSettings({ DOCKER_HOST, DOCKER_CERT_PATH, MOONBASE_DOCKER_URL }: Environment): Environment {
  if (MOONBASE_DOCKER_URL) return {};
  return {
    MOONBASE_DOCKER_URL: dockerUrl.safeParse(DOCKER_HOST).data,
    MOONBASE_DOCKER_CERT_PATH: DOCKER_CERT_PATH?.trim(),
  };
}

/** Returns the trace endpoint from the OpenTelemetry variables; the SDK reads the others itself. */
export function tracesUrlOf(environment: Environment): string | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = environment;
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined;
  const url = whole || (base && `${base.replace(/\/+$/, '')}/v1/traces`) || undefined;
  if (url === undefined || z.url({ protocol: /^https?$/ }).safeParse(url).success) return url;
  const name = whole ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT';
  throw wrongSettings([`${name}: must be an http or https URL, such as http://127.0.0.1:4318`]);
}
