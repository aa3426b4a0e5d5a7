import type { ReactNode } from 'react';

/** Line icons on a grid of 24, for decoration only: the text beside an icon has the same meaning. */
const icon = (drawing: ReactNode) =>
  function Icon({ size = 20 }: { readonly size?: number }) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        {drawing}
      </svg>
    );
  };

export const InboxIcon = icon(<path d="M3 13h5l2 3h4l2-3h5M5.5 5h13L21 13v6H3v-6z" />);
export const WebhookIcon = icon(
  <>
    <circle cx="12" cy="7" r="3.5" />
    <circle cx="6" cy="17" r="3" />
    <circle cx="18" cy="17" r="3" />
    <path d="m10.5 10.5-3 4M13.5 10.5l3 4M9 17h6" />
  </>,
);
export const RepositoryIcon = icon(<path d="M3 6h6l2 3h10v10H3z" />);
export const ExploreIcon = icon(<path d="M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l4.5 4.5" />);
export const JobIcon = icon(<path d="M4 5h16v14H4zM8 10l2.5 2L8 14M13 15h4" />);
export const OrganizationIcon = icon(
  <path d="M4 21V4h9v17M13 9h7v12M2.5 21h19M7.5 8h2M7.5 12h2M7.5 16h2M16.5 13h.01M16.5 17h.01" />,
);
export const SettingsIcon = icon(
  <>
    <path d="M4 7h9M18 7h2M4 17h2M11 17h9" />
    <circle cx="15.5" cy="7" r="2.5" />
    <circle cx="8.5" cy="17" r="2.5" />
  </>,
);
export const AdministrationIcon = icon(<path d="M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6" />);
export const DiscussionIcon = icon(<path d="M4 5h16v11h-9l-4.5 4v-4H4z" />);
export const PullRequestIcon = icon(
  <>
    <circle cx="6" cy="6" r="2.5" />
    <circle cx="6" cy="18" r="2.5" />
    <circle cx="18" cy="18" r="2.5" />
    <path d="M6 8.5v7M18 15.5V9a3 3 0 0 0-3-3h-3" />
  </>,
);
export const PaperIcon = icon(<path d="M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6" />);
export const PostIcon = icon(<path d="M5 19l1-4L16 5l3 3L9 18zM14 7l3 3" />);
export const LockIcon = icon(<path d="M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3" />);
export const SignOutIcon = icon(<path d="M10 4H5v16h5M9 12h11M16 8l4 4-4 4" />);
export const SunMoonIcon = icon(<path d="M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16" />);
export const CloseIcon = icon(<path d="M6 6l12 12M18 6 6 18" />);

export function Moon({ size = 28 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="16" fill="#4263eb" />
      <path d="M21.5 20.8A9 9 0 0 1 12.6 7.6a9 9 0 1 0 10.6 12.6 9 9 0 0 1-1.7.6z" fill="#fff" />
    </svg>
  );
}
