import type { Post } from '#contract/feed/post.ts'
import type { Config } from '#server/config.ts'
import type { Instance } from '#server/features/instance/index.ts'
import { hasWatchedWord } from './watched-words.ts'

type Setting = Pick<Config, 'premiumPublish'>

/** The settings of the environment, with nobody who publishes premium posts while an admin has switched them off. */
export const withPremiumSwitch = <C extends Setting>(config: C, instance: Pick<Instance, 'settings'>): C =>
  Object.defineProperty({ ...config }, 'premiumPublish', {
    get: () => (instance.settings().premium ? config.premiumPublish : 'nobody'),
  })

/** Whether the premium posts of this kind of caller appear without review. */
export const mayPublish = ({ premiumPublish }: Setting, isPerson: boolean): boolean =>
  premiumPublish === 'everyone' || (premiumPublish === 'registered' && isPerson)

/** Whether a post of a registered author appears without review. */
export const appearsWithoutReview = async (
  post: Pick<Post, 'postType' | 'content' | 'authorName' | 'tags'> & { isAdmin: boolean },
  { config, instance }: { config: Setting; instance: Pick<Instance, 'settings'> },
): Promise<boolean> =>
  post.isAdmin ||
  (post.postType === 'premium' && mayPublish(config, true) && !(await hasWatchedWord(post, instance)))
