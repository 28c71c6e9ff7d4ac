import type { FastifyBaseLogger } from 'fastify'
import { archiveFiles } from '#contract/archive/archive-files.ts'
import { type ArchiveCalls, isGoneOrDamaged } from '#contract/archive/calls.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { DomainEvents } from '#server/domain-events.ts'
import { inboxLoaders } from '#server/features.ts'
import { findAccountByEmail, findUser } from '#server/features/account/queries.ts'
import { findSuspension } from '#server/features/account/suspensions.ts'
import { settingsRoutes } from '#server/features/account/settings.ts'
import { bookmarkRoutes } from '#server/features/bookmarks/routes.ts'
import { calendarRoutes } from '#server/features/calendar/routes.ts'
import { createTextCipher } from '#server/features/day-texts/text-cipher.ts'
import { Vault } from '#server/features/day-texts/vault.ts'
import { diaryRoutes } from '#server/features/diary/routes.ts'
import { documentRoutes } from '#server/features/documents/routes.ts'
import { draftRoutes } from '#server/features/drafts/routes.ts'
import { hasPage } from '#server/features/feed/index.ts'
import { ownRoutes } from '#server/features/feed/own-routes.ts'
import { followRoutes } from '#server/features/follows/routes.ts'
import { friendRoutes } from '#server/features/friends/routes.ts'
import { inboxRoutes } from '#server/features/inbox/routes.ts'
import { defaultInstance } from '#server/features/instance/index.ts'
import { messageRoutes } from '#server/features/messages/routes.ts'
import { roomRoutes } from '#server/features/rooms/routes.ts'
import { createShelf } from '#server/features/rooms/shelf.ts'
import { storyRoutes } from '#server/features/rooms/story/story-routes.ts'
import { createLog } from '#server/log.ts'
import { AnswerCache } from '#server/platform/http/answers/answer-cache.ts'
import type { Route } from '#server/platform/http/endpoints/handle.ts'
import { type ReadContext, runRead } from '#server/platform/http/endpoints/run-read.ts'
import { publicAddress } from '#server/platform/http/public-address.ts'
import { Refused } from '#server/platform/http/refusal.ts'
import { findFact } from '#server/platform/instance.ts'
import { createLocalBus } from '#server/platform/live/bus.ts'
import { memoryLimit } from '#server/platform/memory.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { zoneFact } from '#server/platform/time-zone.ts'
import type { Place } from './place.ts'
import { writeZip } from './write-zip.ts'

/** Writes everything of a person into one ZIP, as the page of the person does. Returns a sentence for the operator. */
export async function exportArchive(
  place: Place,
  { email, file }: { email: string; file: string },
  signal: AbortSignal,
): Promise<string> {
  const { database, clock, random, config } = place
  const account = await findAccountByEmail(database, email.trim().toLowerCase())
  const person = account && (await findUser(database, account.id))
  if (person === undefined) throw new OperatorError(`Nobody is registered as ${email}.`)
  const session = { tokenHash: '', isFresh: false }
  const viewer = { kind: person.isAdmin ? 'admin' : 'user', id: person.id, session } as const
  const log = createLog(config.logLevel, process.stderr)
  const calls = callsOf(await routesOf(place, log), { viewer, database, clock, random, log })
  const files = archiveFiles({ calls, person, origin: publicAddress(config, ''), now: () => clock.now() })
  const count = await writeZip(file, files, signal)
  const done = `Everything of ${email} is in ${file}: ${count} files.`
  if (!(await findSuspension(database, person.id))?.hidesTexts) return done
  return `${done} A suspension hides the texts of this person: a mark stands in the place of their passages in public stories.`
}

/** The routes that read the data for an archive. Nobody listens to events in the process of a command. */
async function routesOf(
  { database, clock, random, config: settings }: Place,
  log: FastifyBaseLogger,
): Promise<Route[]> {
  const config = { ...settings, timeZone: (await findFact(database, zoneFact)) ?? 'UTC' }
  // Each text names its key, so a vault with another key refuses it.
  const vault = new Vault(createTextCipher(settings.diaryKey, random), false, log)
  const events = new DomainEvents()
  const answers = new AnswerCache({ memory: memoryLimit(), bus: createLocalBus(), clock })
  const shelf = createShelf({ database, answers, events })
  const notifier = { changed() {}, writing() {}, turned() {}, asidesChanged() {}, head() {} }
  const turnClock = { passOnWhenDue: async () => {} }
  return [
    ...diaryRoutes({ vault }),
    ...calendarRoutes({ vault }),
    ...ownRoutes({ config, events, instance: defaultInstance }),
    ...draftRoutes({ vault }),
    ...documentRoutes({ vault }),
    ...storyRoutes({ config, vault, answers }),
    ...roomRoutes({ config, events, shelf, notifier, turnClock, instance: defaultInstance }),
    ...messageRoutes({ vault, events }),
    ...friendRoutes({ events }),
    ...settingsRoutes({ events, hasPage }),
    ...inboxRoutes({ events, loaders: inboxLoaders(vault) }),
    ...bookmarkRoutes(),
    ...followRoutes(),
  ]
}

/** Reads the data for an archive: runs the handlers of these routes as the owner of the data. */
function callsOf(routes: readonly Route[], context: ReadContext): ArchiveCalls {
  const run = async (endpoint: Endpoint, sent: object) => {
    const route = routes.find((each) => each.endpoint === endpoint)
    if (route === undefined) throw new Error(`${endpoint.path} is not among the routes of an export.`)
    try {
      return await runRead(route, context, sent)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      if (isGoneOrDamaged(error)) return undefined
      throw new OperatorError(error.body.error)
    }
  }
  return {
    // The handler of an endpoint answers its output, which the type of a list of routes cannot say.
    read: run as ArchiveCalls['read'],
    readFile: async (endpoint, sent) => (await run(endpoint, sent))?.output as Uint8Array | undefined,
  }
}
