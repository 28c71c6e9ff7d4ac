import { createHmac } from 'node:crypto'
import { coverOf } from '#contract/covers/paths.ts'
import { firstWordsOf, postPath } from '#contract/feed/post.ts'
import { personPath } from '#contract/people/paths.ts'
import { shelfPath, storyPath } from '#contract/rooms/paths.ts'
import { authorOf } from '#contract/rooms/room.ts'
import { nothingWritten, storyTitle } from '#contract/rooms/saved-story.ts'
import { type FeedFormat, type FeedOf, feedPath } from '#contract/syndication/paths.ts'
import { isBlank } from '#contract/text.ts'
import type { Needs } from '#server/feature.ts'
import { siteNameOf } from '#server/features/instance/index.ts'
import { findPageName } from '#server/features/people/index.ts'
import { msUntilNextEnd, waitForLastPassages } from '#server/features/rooms/index.ts'
import { type TimeCursor, timeCursorOf } from '#server/platform/http/answers/paging.ts'
import { type Prepared, prepareSlices } from '#server/platform/http/answers/prepared.ts'
import { publicAddress } from '#server/platform/http/public-address.ts'
import { Refused } from '#server/platform/http/refusal.ts'
import { keyFor } from '#server/platform/instance.ts'
import { createSemaphore } from '#server/platform/semaphore.ts'
import { type FeedItem, type FeedPage, turnLength, writeFeed } from './documents.ts'
import {
  cutByBytes,
  listAuthors,
  listNewestPosts,
  listNewestPostsOf,
  listNewestStories,
  listPassages,
  listPosts,
  textsMaxBytes,
} from './queries.ts'

export type Deps = Pick<Needs, 'config' | 'database' | 'clock' | 'answers' | 'secret' | 'instance'>

export interface FeedAnswer {
  prepared: Prepared
  /**
   * When these bytes were first read. `Last-Modified`, which sends this time, counts in seconds. The time is undefined until
   * that second is over, because the feed may change again within it, and for pages that are not cached.
   */
  firstReadAt?: Date
}

export type Feeds = ReturnType<typeof createFeeds>

/** Reads the feeds. The first page of each is cached until something that it may show changes. */
export function createFeeds({ config, database, clock, answers, secret, instance }: Deps) {
  const key = keyFor('ids of feeds', secret)
  const pages = answers.of('syndication')
  // A page may have a megabyte of text, and everybody may request every page.
  const withPermit = createSemaphore({ atOnce: 1, maxWaiting: 100, maxWaitingPerOwner: 10 })
  const firstReads = new WeakMap<Prepared, Date>()
  const addressOf = (path: string) => publicAddress(config, path)
  const siteName = () => siteNameOf(instance.settings())

  async function read(of: FeedOf, format: FeedFormat, before: TimeCursor | undefined): Promise<Prepared> {
    const { next, ...page } = await (of.kind === 'stories' ? readStories(before) : readPosts(of, before))
    const currentUrl = addressOf(feedPath(of, format))
    const pageUrl = (cursor: TimeCursor) => `${currentUrl}?before=${timeCursorOf(cursor)}`
    const document = writeFeed(format, {
      ...page,
      id: feedId(of),
      currentUrl,
      selfUrl: before === undefined ? currentUrl : pageUrl(before),
      olderUrl: next && pageUrl(next),
      hubUrl: config.webSubHub,
    })
    return prepareSlices(document, turnLength)
  }

  type Read = Pick<FeedPage, 'title' | 'description' | 'author' | 'homeUrl' | 'items'> & {
    next: TimeCursor | undefined
  }

  async function readPosts(
    of: Exclude<FeedOf, { kind: 'stories' }>,
    before: TimeCursor | undefined,
  ): Promise<Read> {
    const name = of.kind === 'person' ? await findPageName(database, of.id) : undefined
    if (of.kind === 'person' && name === undefined) throw new Refused('NotFound')
    const sizes = await (of.kind === 'person'
      ? listNewestPostsOf(database, { id: of.id, name: name! }, before)
      : listNewestPosts(database, config.timeZone, before))
    const { shown, next } = cutByBytes(sizes)
    const found = await listPosts(
      database,
      shown.map(({ id }) => id),
    )
    const items = found.map(
      ({ id, content, authorName, authorId, publishedAt, editedAt, imageUrl }): FeedItem => ({
        id,
        url: addressOf(postPath(id)),
        title: firstWordsOf({ content }),
        text: textBelowTitle(content),
        authors: [{ name: authorName, ...(authorId !== null && { url: addressOf(personPath(authorId)) }) }],
        publishedAt: publishedAt!,
        changedAt: editedAt ?? publishedAt!,
        ...(imageUrl !== null && pictureAt(imageUrl)),
      }),
    )
    if (of.kind === 'posts')
      return {
        title: siteName(),
        description: `The newest posts on ${siteName()}.`,
        author: { name: siteName() },
        homeUrl: addressOf('/dashboard'),
        items,
        next,
      }
    const homeUrl = addressOf(personPath(of.id))
    return {
      title: `${name!} · ${siteName()}`,
      description: `Posts by ${name!} on ${siteName()}.`,
      author: { name: name!, url: homeUrl },
      homeUrl,
      items,
      next,
    }
  }

  /** The cover of a post. Of another picture the type and the size are unknown. */
  function pictureAt(imageUrl: string): Pick<FeedItem, 'cover'> {
    const cover = coverOf(imageUrl)
    return cover === undefined
      ? {}
      : { cover: { url: addressOf(imageUrl), width: cover.width, height: cover.height } }
  }

  async function readStories(before: TimeCursor | undefined): Promise<Read> {
    const { shown, next } = cutByBytes(await listNewestStories(database, before))
    for (const { id, hasJustEnded } of shown) if (hasJustEnded) await waitForLastPassages(database, id)
    const ids = shown.map(({ id }) => id)
    const passages = await listPassages(database, ids)
    const authors = await listAuthors(database, ids)
    const items = shown.map(({ id, name, createdAt }): FeedItem => {
      const own = passages.get(id) ?? []
      const url = addressOf(storyPath(id))
      const { text, isCut } = joined(own.map(({ content }) => content))
      return {
        id,
        url,
        title: storyTitle({ name }),
        text: text || nothingWritten,
        ...(isCut && { restUrl: url }),
        authors: authors.get(id)?.map((author) => ({ name: authorOf(author) })) ?? [{ name: siteName() }],
        publishedAt: createdAt,
        changedAt: createdAt,
      }
    })
    return {
      title: `Finished stories · ${siteName()}`,
      description: `The stories that groups have finished on ${siteName()}.`,
      author: { name: siteName() },
      homeUrl: addressOf(shelfPath),
      items,
      next,
    }
  }

  /** The same at every origin, so that feed readers recognize the feed after a move. */
  function feedId(of: FeedOf): string {
    const name = of.kind === 'person' ? `person ${of.id}` : of.kind
    const bytes = createHmac('sha256', key).update(name).digest()
    // UUID version 8: made by a rule of our own (RFC 9562).
    bytes[6] = (bytes[6]! & 0x0f) | 0x80
    bytes[8] = (bytes[8]! & 0x3f) | 0x80
    return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  }

  return {
    /** A page of a feed. The owner is the address of the caller. A person without a page is refused as not found. */
    async get(
      of: FeedOf,
      format: FeedFormat,
      { before, owner }: { before: TimeCursor | undefined; owner: string },
    ): Promise<FeedAnswer> {
      if (before !== undefined)
        return { prepared: await withPermit(() => read(of, format, before), { owner }) }
      const changes = answers.versionOf([of.kind === 'stories' ? 'stories' : 'posts'])
      const version = `${changes} ${instance.version()}`
      const { prepared } = await pages.get(feedPath(of, format), version, async () => {
        // Queried before the list: a story that ends between the two queries is in the list, and the page expires at once.
        const maxAgeMs = of.kind === 'stories' ? await msUntilNextEnd(database) : undefined
        const readAt = clock.now()
        const first =
          of.kind === 'person'
            ? await withPermit(() => read(of, format, undefined))
            : await read(of, format, undefined)
        firstReads.set(first, readAt)
        return { prepared: first, maxAgeMs }
      })
      const firstReadAt = firstReads.get(prepared)!
      const isOfThisSecond = secondOf(clock.now()) <= secondOf(firstReadAt)
      return { prepared, ...(!isOfThisSecond && { firstReadAt }) }
    },
  }
}

const secondOf = (date: Date) => Math.floor(date.getTime() / 1000)

/** The passages as one text, cut before the passage that would make it longer than a page of a feed may be. */
function joined(passages: string[]): { text: string; isCut: boolean } {
  let bytes = 0
  const firstLeftOut = passages.findIndex((passage) => (bytes += Buffer.byteLength(passage)) > textsMaxBytes)
  const shown = firstLeftOut === -1 ? passages : passages.slice(0, firstLeftOut)
  return { text: shown.join('\n\n'), isCut: firstLeftOut !== -1 }
}

/** The text of a post below its title: without a first paragraph that is the title, when something follows it. */
function textBelowTitle(content: string): string {
  const start = content.trimStart()
  const end = start.search(/\n\s*\n/)
  if (end === -1 || start.slice(0, end).trim() !== firstWordsOf({ content })) return content
  const rest = start.slice(end).replace(/^\s*\n/, '')
  return isBlank(rest) ? content : rest
}
