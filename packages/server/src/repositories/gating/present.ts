import { presentUser } from '../../accounts/index.ts';
import { timestamp } from '../../platform/clock.ts';
import { parseJson } from '../../platform/stored-form.ts';
import type { Answers } from './form.ts';
import type { ListedRequest } from './request-store.ts';

/** Users share their address by asking; who was granted access has not asked. */
const emailOf = ({ granted, email }: ListedRequest) => (granted === 1 || email === null ? {} : { email });

/** Presents a request for those who decide about it (B§6). */
export const presentRequest = (baseUrl: string, request: ListedRequest) => ({
  requestId: request.id,
  user: { ...presentUser(baseUrl, { ...request, id: request.user_id }), ...emailOf(request) },
  ...(request.granted === 1 &&
    request.reviewed_by !== null &&
    request.reviewer !== null && { grantedBy: { _id: request.reviewed_by, user: request.reviewer } }),
  status: request.status,
  ...(request.fields !== null && { fields: parseJson<Answers>(request.fields) }),
  ...(request.rejection_reason !== null && { rejectionReason: request.rejection_reason }),
  timestamp: timestamp(Number(request.requested_at)),
});

/** Presents a request as a line of the report. */
export const presentLine = (request: ListedRequest) => ({
  user: request.name,
  fullname: request.fullname,
  status: request.status,
  ...emailOf(request),
  time: timestamp(Number(request.requested_at)),
  ...(request.reviewed_at !== null && { reviewedAt: timestamp(Number(request.reviewed_at)) }),
});
