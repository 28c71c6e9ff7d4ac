export { addFriendAddedEvents, friendEventLoaders } from './events.ts'
export { isBlockBetween, isUnblocked, isUnblockedPair, lockPair, pairOf } from './pairs.ts'
export { friendPersonalData } from './personal-data.ts'
export {
  addFriendship,
  countUnreadByFriend,
  countUnreadMessages,
  isFriendLimitReached,
  listFriendsByIds,
  mayWriteToEachOther,
} from './queries.ts'
export { friendRoutes } from './routes.ts'
export { friendships } from './schema.ts'
