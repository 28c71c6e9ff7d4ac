import type { Post } from '#contract/feed/post.ts'
import type { Config } from '#server/config.ts'

type Setting = Pick<Config, 'premiumPublish'>

/** Whether the premium posts of this kind of caller appear without review. */
export const mayPublish = ({ premiumPublish }: Setting, isPerson: boolean): boolean =>
  premiumPublish === 'everyone' || (premiumPublish === 'registered' && isPerson)

/** Whether a post of a registered author appears without review. */
export const appearsWithoutReview = (
  { postType, isAdmin }: Pick<Post, 'postType'> & { isAdmin: boolean },
  setting: Setting,
): boolean => isAdmin || (postType === 'premium' && mayPublish(setting, true))
