import { type AppConfig, getConfig } from '#contract/app/endpoints.ts'
import { type OutputOf, pathOf } from '#contract/endpoint.ts'
import { addDays, daysBetween, isDay } from '#contract/days.ts'
import { getPostNeighbours, listMoreByAuthor } from '#contract/feed/links/endpoints.ts'
import { getFeedDay, getPost, oldestFeedDay, getLastFeedDay } from '#contract/feed/reading/endpoints.ts'
import { feedDayPath } from '#contract/feed/paths.ts'
import { postPath, titleOf } from '#contract/feed/post.ts'
import { feedTitle } from '#contract/feed/title.ts'
import { getInstance, getInstancePage } from '#contract/instance/endpoints.ts'
import { type InstancePage, instancePagePath, instancePageTitles } from '#contract/instance/pages.ts'
import {
  getPerson,
  listPersonPosts,
  listPersonStories,
  personPostsAtOnce,
  personStoriesAtOnce,
} from '#contract/people/endpoints.ts'
import { olderTextsPath, type PersonList, personPath } from '#contract/people/paths.ts'
import { finishedRoomsAtOnce, getRoom, listFinishedRooms, listPassages } from '#contract/rooms/endpoints.ts'
import { olderStoriesPath, shelfPath, storyPath } from '#contract/rooms/paths.ts'
import type { RoomPassage } from '#contract/rooms/room.ts'
import { cut } from '#contract/text.ts'
import { feedFormats, type FeedOf, feedPath, feedTypes } from '#contract/syndication/paths.ts'
import type { PageData } from '#contract/app/page-data.ts'
import type { Article } from './features/feed/index.ts'
import { type Instance, publicInstanceOf, siteNameOf } from './features/instance/index.ts'
import type { ListCursors, PersonTexts } from './features/people/index.ts'
import type { PublicStory } from './features/rooms/index.ts'
import { Refused } from './platform/http/refusal.ts'
import { findTimeCursor, type TimeCursor, timeCursorOf } from './platform/http/answers/paging.ts'
import type { CachedAnswer, MadeAnswer } from './platform/http/answers/answer-cache.ts'
import type { PageHead } from './page-head.ts'

/** A page with the data of its first paint. */
export interface Page {
  /** The key in the cache. All versions of one page have the same key. */
  key: string
  /** Another text after every change of the page. */
  version: string
  /** The version now; undefined when only a query can tell. */
  currentVersion: () => string | undefined
  read: () => PageContent | Promise<PageContent>
  /** The bytes of its texts, when many of them may have to be read: what is short is read first. */
  bytes?: number
  /** The address under which the server renders the page; left out for a page that only a browser renders. */
  renderedAt?: string | undefined
  /** Left out for a page that is cached. There are as many of the others as callers ask for. */
  isCached?: false
}

interface PageContent {
  head: PageHead
  data: PageData
  /** False when the content is newer than the version of the page. */
  isCached?: boolean
}

export type PublicPages = ReturnType<typeof createPublicPages>

/** What a page shows, as JSON: the same bytes until it changes. */
export interface CachedTexts<Found extends MadeAnswer | undefined = MadeAnswer | undefined> {
  get: () => Promise<Found>
  /** The cached one, without a query; undefined when it is not cached. */
  peek: () => CachedAnswer | undefined
}

type Peeked = Pick<CachedTexts, 'peek'>

interface Sources {
  config: () => AppConfig
  /** Changes when `config` does, and takes less time. */
  configVersion: () => string
  instance: Pick<Instance, 'settings'>
  feedDay: (day: string) => CachedTexts<MadeAnswer>
  /** The last day with posts before a day, as the call for it answers. */
  lastDayBefore: (day: string) => CachedTexts
  /** An `Article`. */
  post: (id: string) => CachedTexts
  /** `PersonTexts`. */
  person: (id: string) => CachedTexts
  /** `PersonTexts` of which a list begins after a cursor. */
  olderTexts: (id: string, before: ListCursors) => Promise<MadeAnswer | undefined>
  /** A `PublicStory`. */
  story: (id: string) => CachedTexts
  /** All passages of a story, unless they count for more bytes. */
  readStory: (
    id: string,
    maxBytes: number,
  ) => Promise<{ passages: RoomPassage[]; version: string } | undefined>
  /** The newest finished stories that everybody may read. */
  shelf: CachedTexts<MadeAnswer>
  /** The finished stories after a cursor. */
  olderStories: (before: TimeCursor, owner: string) => Promise<MadeAnswer>
  /** The texts of a page that admins write. */
  instancePage: (page: InstancePage) => OutputOf<typeof getInstancePage>
  /** The absolute address of a path of this instance. */
  addressOf: (path: string) => string
  /** Called when the feed of a page could not be read. */
  onFailure: (error: unknown) => void
}

/** A longer answer is not embedded: the browser requests it. */
const embeddedMaxBytes = 1024 * 1024

const about =
  'A home for people who write: a feed by day, a diary, and rooms in which a group writes one story.'

/** The pages of the application with the data that they show first, the public ones with what the server renders. */
export function createPublicPages(sources: Sources) {
  const { config, configVersion, instance, addressOf, onFailure } = sources
  const configPath = pathOf(getConfig)
  const siteName = () => siteNameOf(instance.settings())

  /** How the instance presents itself, for the pages that show it. */
  const instanceAnswer = () =>
    config().instance && { [pathOf(getInstance)]: publicInstanceOf(instance.settings()) }

  const website = (
    title: string,
    path?: string,
    description = instance.settings().description || about,
  ): PageHead => ({
    title,
    description,
    ...(path !== undefined && { address: addressOf(path) }),
    feeds: feedsOf({ kind: 'posts' }, siteName()),
    of: { type: 'website' },
  })
  const feedsOf = (of: FeedOf, title: string) =>
    feedFormats.map((format) => ({
      title,
      type: feedTypes[format],
      address: addressOf(feedPath(of, format)),
    }))

  /** Changes with the configuration, the texts and the cursor of the next page. */
  const versionOf = (texts?: MadeAnswer) => `${configVersion()} ${texts?.prepared.etag} ${texts?.nextBefore}`

  const pageOf = (path: string, texts: MadeAnswer | undefined, { peek }: Peeked, read: Page['read']) => ({
    key: path,
    version: versionOf(texts),
    currentVersion: () => {
      const cached = peek()
      return cached && versionOf(cached)
    },
    read,
    renderedAt: path,
  })

  const pageWithoutTexts = (
    key: string,
    { head, title = '', answers, ...more }: { head: PageHead } & Partial<PageData>,
  ): Page => ({
    key,
    version: versionOf(),
    currentVersion: () => versionOf(),
    read: () => ({
      head,
      data: { title, answers: { [configPath]: config(), ...answers }, lists: {}, ...more },
    }),
  })

  /** What a page of the feed shows, unless it cannot be read or is too long to embed: the browser then requests it. */
  async function feedIfAvailable({ get }: CachedTexts) {
    try {
      const feed = await get()
      return feed && feed.prepared.length <= embeddedMaxBytes ? feed : undefined
    } catch (error) {
      // Any visitor can cause refusals under load, and so a line in the log for each.
      if (!(error instanceof Refused)) onFailure(error)
      return undefined
    }
  }

  /**
   * Returns the function that gives the current version of the page of a day. After a change of the configuration it gives none.
   * It is made outside of `ofDay`, because a cached page keeps it, and with it all variables of its scope. Those of `ofDay`
   * include the texts.
   */
  const currentVersionOfDay =
    (configured: string, { peek }: Peeked, last: Peeked | undefined): Page['currentVersion'] =>
    () => {
      // After midnight an address with a number, and that of the feed, lead to another day.
      if (configVersion() !== configured) return undefined
      const [feed, lastDay] = [peek(), last?.peek()]
      const isKnown = feed !== undefined && (last === undefined || lastDay !== undefined)
      return isKnown ? versionOfDay(configured, feed, lastDay) : undefined
    }

  /**
   * A day of the feed: below the onboarding at `/`, or as a page of its own. Its address names the date; today has two addresses.
   * `search` is the query of the address.
   */
  async function ofDay(path: string, search: string): Promise<Page> {
    // Read once: at midnight the day, its posts and the settings of the page belong together. The version is read before them,
    // so that a page that is made at midnight never counts as one of the new day.
    const configured = configVersion()
    const settings = config()
    const asked = feedAddressOf(search, settings.today)
    const { offset, isDated } = asked ?? todaysFeed
    const day = addDays(settings.today, -offset)
    const texts = sources.feedDay(day)
    const feed = await feedIfAvailable(texts)
    const isEmpty = feed !== undefined && feed.prepared.length === emptyListBytes
    const last = isEmpty ? sources.lastDayBefore(day) : undefined
    const lastDay = last && (await feedIfAvailable(last))
    const isOnboarding = path === '/'
    const address = isDated ? feedDayPath(day) : path
    const read = async () => {
      const head = isOnboarding
        ? website('Z!mmer', '/')
        : website(
            feedTitle(day, settings.today),
            address,
            `What people wrote on ${day}: poems, stories and thoughts.`,
          )
      const answers = {
        [configPath]: settings,
        ...(isOnboarding && instanceAnswer()),
        ...(feed && { [pathOf(getFeedDay, { params: { offset: String(offset) } })]: await parsed(feed) }),
        ...(lastDay && { [pathOf(getLastFeedDay, { params: { day } })]: await parsed(lastDay) }),
      }
      return { head, data: { title: isOnboarding ? '' : 'Feed', answers, lists: {} } }
    }
    return {
      key: address,
      version: versionOfDay(configured, feed, lastDay),
      currentVersion: currentVersionOfDay(configured, texts, last),
      read,
      // For another query the browser shows another page, so the server renders none.
      renderedAt: isOnboarding || (asked && feed) ? address : undefined,
    }
  }

  async function ofShelf(): Promise<Page> {
    const stories = await sources.shelf.get()
    return pageOf(shelfPath, stories, sources.shelf, () => shelfContent(stories))
  }

  /** A page of the shelf begins with another story after each new one, so search engines are asked not to list it. */
  async function ofOlderStories(cursor: TimeCursor, owner: string): Promise<Page> {
    const stories = await sources.olderStories(cursor, owner)
    const before = timeCursorOf(cursor)
    return {
      ...pageOf(olderStoriesPath(before), stories, { peek: () => undefined }, () =>
        shelfContent(stories, before),
      ),
      isCached: false,
    }
  }

  async function shelfContent(stories: MadeAnswer, before?: string): Promise<PageContent> {
    const query = { limit: String(finishedRoomsAtOnce), ...(before !== undefined && { before }) }
    const { nextBefore = null } = stories
    const path = before === undefined ? shelfPath : undefined
    return {
      head: {
        ...website('Finished stories', path, 'Stories that groups have written together.'),
        next: nextBefore === null ? undefined : addressOf(olderStoriesPath(nextBefore)),
        feeds: feedsOf({ kind: 'stories' }, `Finished stories · ${siteName()}`),
      },
      data: {
        title: 'Finished stories',
        answers: { [configPath]: config() },
        lists: {
          [pathOf(listFinishedRooms, { query })]: { items: await parsed<unknown[]>(stories), nextBefore },
        },
      },
    }
  }

  /** The page of a text or a person that has an id; undefined when there is none for everybody. */
  async function ofId<Shown>(
    texts: CachedTexts,
    path: string,
    contentOf: (shown: Shown, path: string) => PageContent | Promise<PageContent>,
    bytesOf?: (shown: Shown) => number,
  ): Promise<Page | undefined> {
    const found = await texts.get()
    if (found === undefined) return undefined
    const read = async () => contentOf(await parsed<Shown>(found), path)
    const bytes = bytesOf ? bytesOf(await parsed<Shown>(found)) : found.prepared.length
    return { ...pageOf(path, found, texts, read), bytes }
  }

  function postContent({ post, neighbours, moreByAuthor }: Article, path: string): PageContent {
    const title = titleOf(post)
    const author = {
      name: post.authorName,
      ...(post.authorHasPage && post.authorId !== null && { address: addressOf(personPath(post.authorId)) }),
    }
    return {
      head: {
        title,
        description: lineOf(post.content),
        address: addressOf(path),
        picture: addressOf(`/preview${path}.png`),
        feeds: feedsOf({ kind: 'posts' }, siteName()),
        of: {
          type: 'article',
          publishedAt: post.publishedAt ?? post.createdAt,
          editedAt: post.editedAt,
          authors: [author],
        },
      },
      data: {
        title,
        answers: {
          [configPath]: config(),
          [pathOf(getPost, { params: { id: post.id } })]: post,
          [pathOf(getPostNeighbours, { params: { id: post.id } })]: neighbours,
          [pathOf(listMoreByAuthor, { params: { id: post.id } })]: moreByAuthor,
        },
        lists: {},
      },
    }
  }

  /** Older texts move to another page with each new one, so search engines are asked not to list these pages. */
  async function ofOlderTexts(id: string, { list, cursor }: Older): Promise<Page | undefined> {
    const before = timeCursorOf(cursor)
    const texts = { get: () => sources.olderTexts(id, { [list]: cursor }), peek: () => undefined }
    const page = await ofId(texts, olderTextsPath(id, list, before), (shown: PersonTexts) =>
      personContent(shown, undefined, { [list]: before }),
    )
    return page && { ...page, isCached: false }
  }

  function personContent(
    { person, posts, stories }: PersonTexts,
    path?: string,
    before: Partial<Record<PersonList, string>> = {},
  ): PageContent {
    const params = { id: person.id }
    const queryOf = (limit: number, cursor?: string) => ({
      limit: String(limit),
      ...(cursor !== undefined && { before: cursor }),
    })
    return {
      head: {
        title: person.name,
        description: lineOf(person.introduction) || `What ${person.name} has published on ${siteName()}.`,
        ...(path !== undefined && { address: addressOf(path) }),
        picture: addressOf(`/preview${personPath(person.id)}.png`),
        next:
          posts.nextBefore === null
            ? undefined
            : addressOf(olderTextsPath(person.id, 'posts', posts.nextBefore)),
        feeds: feedsOf({ kind: 'person', id: person.id }, `${person.name} · ${siteName()}`),
        of: { type: 'profile', name: person.name },
      },
      data: {
        title: person.name,
        answers: { [configPath]: config(), [pathOf(getPerson, { params })]: person },
        lists: {
          [pathOf(listPersonPosts, { params, query: queryOf(personPostsAtOnce, before.posts) })]: posts,
          [pathOf(listPersonStories, { params, query: queryOf(personStoriesAtOnce, before.stories) })]:
            stories,
        },
      },
    }
  }

  async function storyContent({ room, version }: PublicStory, path: string): Promise<PageContent> {
    const params = { id: room.id }
    // A longer story is read in the browser, or as a file.
    const story = await sources.readStory(room.id, embeddedMaxBytes)
    return {
      isCached: story === undefined || story.version === version,
      head: {
        title: room.name,
        description: lineOf(room.description),
        address: addressOf(path),
        picture: addressOf(`/preview${path}.png`),
        feeds: feedsOf({ kind: 'stories' }, `Finished stories · ${siteName()}`),
        of: { type: 'article', publishedAt: room.expiresAt, authors: [] },
      },
      data: {
        title: room.name,
        answers: { [configPath]: config(), [pathOf(getRoom, { params })]: room },
        lists: {},
        ...(story && { story: { path: pathOf(listPassages, { params }), passages: story.passages } }),
      },
    }
  }

  return {
    /** The page at one of the fixed paths. The owner is the address of the caller. */
    async at(path: string, url: string, owner: string): Promise<Page> {
      const search = url.slice(path.length)
      if (path === '/') return ofDay(path, '')
      if (path === '/dashboard') return ofDay(path, search)
      if (path === shelfPath && search === '') return ofShelf()
      const cursor = path === shelfPath ? cursorAfter(search) : undefined
      if (cursor !== undefined) return ofOlderStories(cursor, owner)
      if (path === '/about')
        return {
          ...pageWithoutTexts(path, {
            head: website('About', path),
            title: 'About',
            answers: { ...instanceAnswer() },
          }),
          renderedAt: path,
        }
      return pageWithoutTexts('without texts', { head: website('Z!mmer') })
    },

    /** The terms, the privacy or the rules, if they have a text. */
    ofInstance(page: InstancePage): Page | undefined {
      const texts = sources.instancePage(page)
      const text = texts.content || texts.textUse?.join(' ')
      if (text === undefined || text === '') return undefined
      const [path, title] = [instancePagePath(page), instancePageTitles[page]]
      const answers = { [pathOf(getInstancePage, { params: { page } })]: texts }
      const head = website(title, path, lineOf(text.replace(/^#+ /gm, '')))
      return { ...pageWithoutTexts(path, { head, title, answers }), renderedAt: path }
    },

    ofPost: (id: string) => ofId(sources.post(id), postPath(id), postContent),
    /** `search` is the query of the address. It may name a cursor after which a list begins. */
    async ofPerson(id: string, search: string): Promise<Page | undefined> {
      const older = olderIn(search)
      if (older !== undefined) return ofOlderTexts(id, older)
      const page = await ofId(sources.person(id), personPath(id), personContent)
      // For another cursor the browser shows other texts, so the server renders none.
      return page && search.includes('-before=') ? { ...page, renderedAt: undefined } : page
    },
    ofStory: (id: string) => ofId(sources.story(id), storyPath(id), storyContent, ({ bytes }) => bytes),
    notFound: (): Page => ({
      ...pageWithoutTexts('not found', { head: website('404 Page Not Found'), isMissing: true }),
      renderedAt: '/404',
    }),
  }
}

const parsed = async <T = unknown>({ prepared }: MadeAnswer) =>
  JSON.parse((await prepared.in('plain')).toString()) as T

const versionOfDay = (configured: string, feed?: MadeAnswer, lastDay?: MadeAnswer) =>
  `${configured} ${feed?.prepared.etag} ${lastDay?.prepared.etag}`

/** The bytes of `[]`. */
const emptyListBytes = 2

/** Which day of the feed an address leads to. */
interface FeedAddress {
  /** Days before today. */
  offset: number
  /** The address names the day, also by a number of days. Without a day it leads to today, whatever day that is. */
  isDated: boolean
}

const todaysFeed: FeedAddress = { offset: 0, isDated: false }

/** The day that a query names by its date, or as days before today; undefined for any other query. */
function feedAddressOf(search: string, today: string): FeedAddress | undefined {
  if (search === '') return todaysFeed
  const [, date, days] = /^\?(?:date=([\d-]{10})|day=([1-9]\d{0,4}))$/.exec(search) ?? []
  const offset = date === undefined ? Number(days) : isDay(date) ? daysBetween(date, today) : NaN
  return offset >= 0 && offset <= oldestFeedDay ? { offset, isDated: true } : undefined
}

/** The cursor that a query names, written as our links write it. */
const cursorAfter = (search: string) => findTimeCursor(/^\?before=([^&]+)$/.exec(search)?.[1])

interface Older {
  list: PersonList
  cursor: TimeCursor
}

/** Where a list on the page of a person begins, if the query names that as our links do. */
function olderIn(search: string): Older | undefined {
  const [, list, before] = /^\?(posts|stories)-before=([^&]+)$/.exec(search) ?? []
  const cursor = findTimeCursor(before)
  return cursor && { list: list as PersonList, cursor }
}

/** The beginning of a text, on one line. */
const lineOf = (text: string) => cut(text.replace(/\s+/g, ' ').trim(), 160)
