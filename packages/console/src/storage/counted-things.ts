/** The things that users have up to a quota, in the order in which they are shown. */
export const COUNTED_THINGS = [
  {
    key: 'webhooks',
    title: 'Webhooks',
    unit: 'Webhooks',
    consequence: 'new webhooks are refused',
    remedy: 'delete webhooks',
    max: 10_000,
    mayBeUnlimited: false,
  },
  {
    key: 'tokens',
    title: 'Access tokens',
    unit: 'Access tokens',
    consequence: 'new access tokens are refused',
    remedy: 'delete access tokens',
    max: 100_000,
    mayBeUnlimited: true,
  },
  {
    key: 'discussions',
    title: 'Discussions in 24 hours',
    unit: 'Discussions',
    consequence: 'new discussions and pull requests are refused',
    remedy: 'wait',
    max: 100_000,
    mayBeUnlimited: true,
  },
] as const;
