import type { Feature, Needs } from '#server/feature.ts'
import { friendEventLoaders } from './events.ts'
import { friendPersonalData } from './personal-data.ts'
import { friendRoutes } from './routes.ts'

export { notifyOfFriendship } from './events.ts'
export { findFriendPage } from './friend-page.ts'
export { isBlockBetween, isUnblocked, isUnblockedPair, lockPair, pairOf } from './pairs.ts'
export {
  addFriendship,
  countUnreadByFriend,
  countUnreadMessages,
  hasEitherBlocked,
  isFriendLimitReached,
  listFriendsByIds,
  mayWriteToEachOther,
} from './queries.ts'
export { friendships } from './schema.ts'

export const feature = {
  personalData: friendPersonalData,
  inboxLoaders: () => friendEventLoaders,
  start: (deps: Pick<Needs, 'events'>) => ({ routes: friendRoutes(deps) }),
} satisfies Feature
