import type { Feature } from '#server/feature.ts'
import { ifAvailable } from '#server/platform/database/unavailable.ts'
import { schedule } from '#server/platform/schedule.ts'
import { completeChainsOf } from './credit/chain.ts'
import { encryptedSealKeys } from './credit/keys.ts'
import { addSealKeys, creditRoutes } from './credit/routes.ts'
import { type SigningDeps, signStories } from './credit/signing-job.ts'
import { roomEventLoaders } from './events.ts'
import { leaveRooms } from './leaving.ts'
import { addRoomTopics, type Deps as LiveDeps } from './live.ts'
import { countRoomsThatEnded, storeEnds } from './queries.ts'
import { type Deps, roomRoutes } from './routes.ts'
import { beforeShowNameChange } from './signing.ts'
import { asideRoutes } from './table/aside-routes.ts'
import { encryptedAsides, purgeAsides } from './table/asides.ts'
import { tableRoutes } from './table/table-routes.ts'
import { createTurnClock } from './table/turn-clock.ts'
import { sendDueReminders } from './table/turn-reminders.ts'
import { storyRoutes } from './story/story-routes.ts'

export { isWithheld, ofAuthor, shownContent, shownName, signsWithName } from './passages.ts'
export { beginChain } from './credit/chain.ts'
export { ensureSealKey, makeSealKey } from './credit/keys.ts'
export { passageBytes } from './policy.ts'
export {
  countRoomsThatEnded,
  findFinishedStory,
  findRooms,
  lockRoom,
  msUntilNextEnd,
  waitForLastPassages,
} from './queries.ts'
export { erasePassageText, findAuthorOfPassage } from './erasing.ts'
export { addInvitedMember, mayInviteInto } from './inviting.ts'
export { findPassageToReport } from './reporting.ts'
export { eraseAside, findAsideToReport } from './table/asides.ts'
export { createShelf } from './shelf.ts'
export { findPublicStory, type PublicStory, readStory } from './story/public-story.ts'
export { isMemberOfRoom, roomMembers, roomPassages, rooms } from './schema.ts'
export { addMissingRoomWords } from './words.ts'

export const feature = {
  personalData: {
    // Foreign keys delete the memberships of an account and its name on passages (S15). The rooms are updated before: deleting
    // a room locks the room first and then its members, in the same order.
    async remove(db, personId, { afterCommit, events }) {
      if (await leaveRooms(db, personId)) afterCommit(() => events.emit('shelfChanged'))
      await completeChainsOf(db, personId)
    },
  },
  encryptedTables: [encryptedSealKeys, encryptedAsides],
  purges: { asides: ({ database }, signal) => purgeAsides(database, signal) },
  inboxLoaders: () => roomEventLoaders,
  start(
    deps: LiveDeps &
      Omit<Deps, 'notifier' | 'turnClock'> &
      Omit<SigningDeps, 'notifier'> &
      Parameters<typeof storyRoutes>[0],
  ) {
    const { database, clock, events } = deps
    const notifier = addRoomTopics(deps)
    const turnClock = createTurnClock({ database, clock, notifier })
    events.on('showNameChanging', beforeShowNameChange(notifier, events))
    events.on('hiddenTextsChanged', async ({ afterCommit }) =>
      afterCommit(() => {
        events.emit('shelfChanged')
        events.emit('storiesChanged')
      }),
    )
    events.on('roomMemberAdded', (roomId) => notifier.changed(roomId))
    events.on('passageErased', (roomId) => notifier.changed(roomId))
    events.on('asideErased', (roomId) => notifier.asidesChanged(roomId))
    return {
      routes: [
        ...roomRoutes({ ...deps, notifier, turnClock }),
        ...tableRoutes({ events, notifier, turnClock }),
        ...asideRoutes({ ...deps, notifier }),
        ...storyRoutes(deps),
        ...creditRoutes(deps),
      ],
      serve(server) {
        const { app } = server
        addSealKeys(server, deps)
        schedule(app, 'count of finished rooms', 60 * 1000, (signal) =>
          ifAvailable(async () => {
            await storeEnds(database, signal)
            await countRoomsThatEnded(database, signal)
          }),
        )
        schedule(app, 'reminders of turns', 1000, (signal) =>
          ifAvailable(() => sendDueReminders({ database, events }, signal)),
        )
        schedule(app, 'lapsed turns', 1000, (signal) => ifAvailable(() => turnClock.sweep(signal)))
        schedule(app, 'signing of stories', 1000, (signal) =>
          ifAvailable(() => signStories({ ...deps, notifier }, signal)),
        )
      },
    }
  },
} satisfies Feature
