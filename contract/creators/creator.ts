/** The themed sections of the creator profiles; 'more' means none of them. */
export const creatorCategories = [
  'könig',
  'recently_added',
  'multilingual',
  'highly_recommended',
  'most_creative',
  'more',
] as const
export type CreatorCategory = (typeof creatorCategories)[number]

export const contentTypes = [
  'music',
  'audio',
  'video',
  'writing',
  'poetry',
  'stories',
  'diary',
  'books',
  'podcast',
  'photography',
  'art',
  'design',
] as const
export type ContentType = (typeof contentTypes)[number]

export const coverPatterns = ['waves', 'dots', 'leaves', 'lines', 'arcs', 'grid'] as const
export type CoverPattern = (typeof coverPatterns)[number]

export interface ColorScheme {
  primary: string
  secondary: string
  accent: string
  background: string
}

export interface Portfolio {
  samples: { title: string; type: ContentType; content: string }[]
  /** In dollars. */
  hourlyRate: number
  availability: 'available' | 'busy'
  skills: string[]
  /** Ratings are 1 to 5. */
  testimonials: { client: string; review: string; rating: 1 | 2 | 3 | 4 | 5 }[]
}

export interface Creator {
  id: string
  name: string
  artistName: string
  description: string
  genre: string
  /** Null: the avatar shows initials. */
  profileImage: string | null
  coverPattern: CoverPattern
  colorScheme: ColorScheme
  tags: string[]
  keywords: string[]
  contentTypes: ContentType[]
  likes: number
  followers: number
  isFollowing: boolean
  isVerified: boolean
  category: CreatorCategory
  /** A day. */
  joinedAt: string
  firstLetter: string
  /** The page fetches portfolios only for the dialogs that show them. */
  portfolio?: Portfolio
}
