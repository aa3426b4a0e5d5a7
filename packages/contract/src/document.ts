/** The description of the hub in the OpenAPI document. */
export const DESCRIPTION = 'The HTTP API of a self-hosted hub: repositories, discussions, papers, posts, webhooks.';

/** Descriptions of the tags of routes. */
export const TAGS: Readonly<Record<string, string>> = {
  admin: 'Administration of the hub.',
  auth: 'The owner of a token.',
  blog: 'Articles of users, and comments on them.',
  buckets: 'Storage without git.',
  collections: 'Collections of repositories, papers and other collections.',
  content: 'Files of repositories: commits, lists and downloads.',
  gating: 'Access to the files of gated repositories.',
  jobs: 'Commands that run at once or on a schedule.',
  discussions: 'Discussions and pull requests of repositories.',
  'large-files': 'Large files of repositories: git LFS and Xet.',
  mail: 'Links in mails.',
  notifications: 'Notifications of a user, and how they are sent.',
  orgs: 'Organizations.',
  oauth: 'Applications that act for users: OAuth 2.0 and OpenID Connect.',
  papers: 'Papers, comments on them, and claims of authorship.',
  scim: 'Members and groups of an organization, managed by its identity provider.',
  posts: 'Posts of users, and comments on them.',
  'resource-groups': 'Groups of repositories in organizations, which limit access to private ones.',
  repos: 'Repositories: models, datasets, Spaces and kernels, their branches and tags.',
  service: 'The service itself.',
  spaces: 'Variables, secrets and volumes of Spaces. This hub does not run Spaces.',
  users: 'Users.',
  webhooks: 'Webhooks, their deliveries and delivery logs.',
};
