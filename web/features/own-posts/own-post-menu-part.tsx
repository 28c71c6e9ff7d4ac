import { failedButton, part } from '#web/ui/part.tsx'

export interface OwnPostMenuProps {
  postId: string
  isPublished: boolean
  className?: string
}

/** What an author can do with an own post. Other readers do not fetch it. */
export const OwnPostMenu = part<OwnPostMenuProps>(
  async () => (await import('./OwnPostMenu.tsx')).OwnPostMenu,
  failedButton,
)
