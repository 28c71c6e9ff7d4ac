import { type AppConfig, getConfig } from '#contract/app/endpoints.ts'
import { pathOf } from '#contract/endpoint.ts'
import { addDays, dayLabel } from '#contract/days.ts'
import { getFeedDay, getPost, oldestFeedDay } from '#contract/feed/endpoints.ts'
import { type PublicPost, titleOf } from '#contract/feed/post.ts'
import { formOf } from '#contract/text-form.ts'
import {
  getPerson,
  listPersonPosts,
  listPersonStories,
  personPostsAtOnce,
  personStoriesAtOnce,
} from '#contract/people/endpoints.ts'
import { personPath } from '#contract/people/paths.ts'
import { finishedRoomsAtOnce, getRoom, listFinishedRooms, listPassages } from '#contract/rooms/endpoints.ts'
import { shelfPath, storyPath } from '#contract/rooms/paths.ts'
import type { RoomPassage } from '#contract/rooms/room.ts'
import { cut } from '#contract/text.ts'
import { feedFormats, type FeedOf, feedPath, feedTypes } from '#contract/syndication/paths.ts'
import type { PageData } from '#contract/app/page-data.ts'
import type { PersonTexts } from './features/people/index.ts'
import type { PublicStory } from './features/rooms/index.ts'
import type { PreparedPage } from './platform/http/shared-answers.ts'
import type { PageHead } from './page-head.ts'
import { etagOf, type Prepared } from './platform/http/prepared.ts'

/** A page with the data of its first paint. */
export interface Page {
  /** Pages under one key replace each other. */
  key: string
  /** Another text after every change of the data. */
  version: string
  head: PageHead
  data: () => PageData | Promise<PageData>
  /** The address under which the server renders the page; left out for a page that only a browser renders. */
  renderedAt?: string | undefined
}

export interface PublicPages {
  /** The page at one of the fixed paths. */
  at: (path: string, url: string) => Promise<Page>
  ofPost: (id: string) => Promise<Page | undefined>
  ofPerson: (id: string) => Promise<Page | undefined>
  ofStory: (id: string) => Promise<Page | undefined>
  notFound: () => Page
}

interface Sources {
  config: () => AppConfig
  /** A day of the feed as JSON: the same bytes until the day changes. */
  feedDay: (offset: number) => Promise<Prepared>
  findPublicPost: (id: string) => Promise<PublicPost | undefined>
  findPersonTexts: (id: string) => Promise<PersonTexts | undefined>
  findPublicStory: (id: string) => Promise<PublicStory | undefined>
  /** All passages of a story, unless they have more bytes. */
  readStory: (id: string, maxBytes: number) => Promise<RoomPassage[] | undefined>
  /** The newest finished stories that everybody may read, as JSON. */
  shelf: () => Promise<PreparedPage>
  /** The absolute address of a path of this instance. */
  addressOf: (path: string) => string
  /** Called when the feed of a page could not be read. */
  onFailure: (error: unknown) => void
}

/** A longer answer is fetched by the page itself, while its frame is shown. */
const embeddedMaxBytes = 1024 * 1024

/** A longer story is read in the browser, or as a file. */
const storyMaxBytes = 2 * embeddedMaxBytes

const about =
  'A home for people who write: a feed by day, a diary, and rooms in which a group writes one story.'

/** The pages of the application with the data that they show first, the public ones with what the server renders. */
export function createPublicPages(sources: Sources): PublicPages {
  const { config, feedDay, findPublicPost, findPersonTexts, addressOf, onFailure } = sources
  const { findPublicStory, readStory, shelf } = sources
  const configPath = pathOf(getConfig)

  const website = (title: string, path?: string, description = about): PageHead => ({
    title,
    description,
    ...(path !== undefined && { address: addressOf(path) }),
    feeds: feedsOf({ kind: 'posts' }, 'Z!mmer'),
    of: { type: 'website' },
  })
  const feedsOf = (of: FeedOf, title: string) =>
    feedFormats.map((format) => ({
      title,
      type: feedTypes[format],
      address: addressOf(feedPath(of, format)),
    }))

  /** A page without data of its own. */
  function plain(key: string, title: string, head: PageHead): Page {
    const settings = config()
    return {
      key,
      version: JSON.stringify(settings),
      head,
      data: () => ({ title, answers: { [configPath]: settings }, lists: {} }),
    }
  }

  /** A page without its data is better than none: it asks again by itself. */
  async function feedUnlessAway(offset: number) {
    try {
      const feed = await feedDay(offset)
      return feed.plain.length <= embeddedMaxBytes ? feed : undefined
    } catch (error) {
      onFailure(error)
      return undefined
    }
  }

  /** A day of the feed under the door, or on a page of its own. */
  async function ofDay(path: string, offset: number): Promise<Page> {
    const settings = config()
    const feed = await feedUnlessAway(offset)
    const day = addDays(settings.today, -offset)
    const answers = () => ({
      [configPath]: settings,
      ...(feed && {
        [pathOf(getFeedDay, { params: { offset: String(offset) } })]: JSON.parse(
          feed.plain.toString(),
        ) as unknown,
      }),
    })
    const isDoor = path === '/'
    const address = isDoor || offset === 0 ? path : `${path}?day=${offset}`
    return {
      key: `day ${address}`,
      version: `${JSON.stringify(settings)} ${feed?.etag}`,
      head: isDoor
        ? website('Z!mmer', '/')
        : website(
            offset === 0 ? 'Feed' : `Feed of ${dayLabel(day, settings.today)}`,
            address,
            `What people wrote on ${day}: poems, stories and thoughts.`,
          ),
      data: () => ({ title: isDoor ? '' : 'Feed', answers: answers(), lists: {} }),
      ...((isDoor || feed) && { renderedAt: address }),
    }
  }

  async function ofShelf(): Promise<Page> {
    const settings = config()
    const { prepared, nextBefore = null } = await shelf()
    const list = pathOf(listFinishedRooms, { query: { limit: String(finishedRoomsAtOnce) } })
    return {
      key: 'shelf',
      version: `${JSON.stringify(settings)} ${prepared.etag} ${nextBefore}`,
      head: {
        ...website('Finished stories', shelfPath, 'Stories that groups have written together.'),
        feeds: feedsOf({ kind: 'stories' }, 'Finished stories · Z!mmer'),
      },
      data: () => ({
        title: 'Finished stories',
        answers: { [configPath]: settings },
        lists: { [list]: { items: JSON.parse(prepared.plain.toString()) as unknown[], nextBefore } },
      }),
      renderedAt: shelfPath,
    }
  }

  return {
    async at(path, url) {
      const search = url.slice(path.length)
      const offset = path === '/dashboard' ? offsetOf(search) : 0
      if (path === '/' || path === '/dashboard') {
        const page = await ofDay(path, offset ?? 0)
        // Another query leads elsewhere in the browser.
        return offset === undefined ? { ...page, renderedAt: undefined } : page
      }
      if (path === shelfPath && search === '') return ofShelf()
      if (path === '/about') return { ...plain('about', 'About', website('About', path)), renderedAt: path }
      return plain('plain', '', website('Z!mmer'))
    },

    async ofPost(id) {
      const post = await findPublicPost(id)
      if (post === undefined) return undefined
      const settings = config()
      const path = `/posts/${id}`
      const { title } = formOf(post.content)
      return {
        key: path,
        version: `${JSON.stringify(settings)} ${etagOf(JSON.stringify(post))}`,
        head: {
          title: title === null ? titleOf(post) : `${title} · ${post.authorName}`,
          description: lineOf(post.content),
          address: addressOf(path),
          picture: addressOf(`/preview${path}.png`),
          feeds: feedsOf({ kind: 'posts' }, 'Z!mmer'),
          of: {
            type: 'article',
            publishedAt: post.publishedAt ?? post.createdAt,
            authors: [
              {
                name: post.authorName,
                ...(post.authorHasPage &&
                  post.authorId !== null && { address: addressOf(personPath(post.authorId)) }),
              },
            ],
          },
        },
        data: () => ({
          title: 'Feed',
          answers: { [configPath]: settings, [pathOf(getPost, { params: { id } })]: post },
          lists: {},
        }),
        renderedAt: path,
      }
    },

    async ofPerson(id) {
      const found = await findPersonTexts(id)
      if (found === undefined) return undefined
      const { person, posts, stories } = found
      const settings = config()
      const path = personPath(id)
      return {
        key: path,
        version: `${JSON.stringify(settings)} ${etagOf(JSON.stringify(found))}`,
        head: {
          title: person.name,
          description: lineOf(person.introduction) || `What ${person.name} has published on Z!mmer.`,
          address: addressOf(path),
          picture: addressOf(`/preview${path}.png`),
          feeds: feedsOf({ kind: 'person', id }, `${person.name} · Z!mmer`),
          of: { type: 'profile', name: person.name },
        },
        data: () => ({
          title: person.name,
          answers: { [configPath]: settings, [pathOf(getPerson, { params: { id } })]: person },
          lists: {
            [pathOf(listPersonPosts, { params: { id }, query: { limit: String(personPostsAtOnce) } })]: posts,
            [pathOf(listPersonStories, { params: { id }, query: { limit: String(personStoriesAtOnce) } })]:
              stories,
          },
        }),
        renderedAt: path,
      }
    },

    async ofStory(id) {
      const story = await findPublicStory(id)
      if (story === undefined) return undefined
      const { room, version } = story
      const settings = config()
      const path = storyPath(id)
      return {
        key: path,
        version: `${JSON.stringify(settings)} ${etagOf(JSON.stringify(room))} ${version}`,
        head: {
          title: room.name,
          description: lineOf(room.description),
          address: addressOf(path),
          picture: addressOf(`/preview${path}.png`),
          feeds: feedsOf({ kind: 'stories' }, 'Finished stories · Z!mmer'),
          of: { type: 'article', publishedAt: room.expiresAt, authors: [] },
        },
        data: async () => {
          const passages = await readStory(id, storyMaxBytes)
          return {
            title: room.name,
            answers: { [configPath]: settings, [pathOf(getRoom, { params: { id } })]: room },
            lists: {},
            ...(passages && { story: { path: pathOf(listPassages, { params: { id } }), passages } }),
          }
        },
        renderedAt: path,
      }
    },

    notFound() {
      const page = plain('not found', '', website('404 Page Not Found'))
      return {
        ...page,
        data: async () => ({ ...(await page.data()), isMissing: true }),
        renderedAt: '/404',
      }
    },
  }
}

/** The day that a query names, as days before today: 0 without a query, undefined for any other query. */
function offsetOf(search: string): number | undefined {
  if (search === '') return 0
  const offset = Number(/^\?day=([1-9]\d{0,4})$/.exec(search)?.[1])
  return offset <= oldestFeedDay ? offset : undefined
}

/** The beginning of a text, on one line. */
const lineOf = (text: string) => cut(text.replace(/\s+/g, ' ').trim(), 160)
