export const showcaseTypes = ['poetry', 'writing', 'music'] as const

/** A piece in the card stack above the creator profiles. */
export interface ShowcaseItem {
  id: string
  type: (typeof showcaseTypes)[number]
  title: string
  content: string
  creatorName: string
  creatorId: string
  /** Initials. */
  avatar: string
  /** The genre of the creator. */
  category: string
  likes: number
  isLiked: boolean
}
