import { sql } from 'drizzle-orm'
import { choicesLink, unsubscribePath } from '#contract/away-notifications/path.ts'
import { shelfPath } from '#contract/rooms/paths.ts'
import { type EmailOfPerson, findSuspension } from '#server/features/account/index.ts'
import { listFollowedPosts } from '#server/features/follows/index.ts'
import { type InboxEventLoaders, listEventsByNumber } from '#server/features/inbox/index.ts'
import {
  addMailLink,
  type Letter,
  type LetterDeps,
  type AwayNotificationLetters,
} from '#server/features/mails/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { onOneLine } from '#server/platform/mail/send-mail.ts'
import { findChoices } from './choices.ts'
import { kindOfEvent, listAwayNotifications } from './notifications.ts'

const linesMax = 20

/** The mails to people who are away. Each says what is true when it is sent, and nothing that the person has switched off since. */
export const createAwayNotificationLetters = (loaders: InboxEventLoaders): AwayNotificationLetters => ({
  async notices(deps, email, { eventNumbers }) {
    const { database, config, name } = deps
    const choices = await findWantedChoices(deps, email.userId)
    if (choices === undefined) return undefined
    const events = (await listEventsByNumber(database, email.userId, eventNumbers ?? [])).filter((event) => {
      const kind = kindOfEvent(event)
      return kind !== undefined && choices[kind]
    })
    const notifications = await listAwayNotifications({ db: database, loaders }, email.userId, events)
    const [first] = notifications
    if (first === undefined) return undefined
    const isOne = notifications.length === 1
    const titles = notifications.slice(0, linesMax).map(({ title }) => `${title}.`)
    const isCut = notifications.length > linesMax
    return {
      subject: isOne
        ? `${first.title} – ${name}`
        : `${notifications.length} things are new for you at ${name}`,
      title: isOne ? first.title : `${notifications.length} things are new for you`,
      paragraphs: [
        ...(isOne ? [] : titles),
        ...(isCut ? [`And ${notifications.length - linesMax} more.`] : []),
        'Mails never contain what somebody has written. You read it on the page.',
      ],
      button: { label: 'Open it', address: `${config.publicOrigin}${isOne ? first.path : '/dashboard'}` },
      ...(await linksOf(deps, email)),
    }
  },

  async weekly(deps, email, { createdAt }) {
    const { database, config, name } = deps
    if (!(await findWantedChoices(deps, email.userId))?.weekly) return undefined
    const week = { userId: email.userId, until: createdAt }
    const posts = await followedPostsOf(database, week)
    const stories = await finishedStoriesOf(database, week)
    const paragraphs = [
      ...(posts.count === 0 ? [] : [`${countOf(posts.count, 'new post', 'new posts')} by ${posts.names}.`]),
      ...(stories.count === 0
        ? []
        : [`${countOf(stories.count, 'story was', 'stories were')} finished: ${stories.names}.`]),
    ]
    if (paragraphs.length === 0) return undefined
    return {
      subject: `Your week at ${name}`,
      title: 'What is new this week',
      paragraphs,
      button: {
        label: posts.count > 0 ? 'Read the posts' : 'Read the stories',
        address: `${config.publicOrigin}${posts.count > 0 ? '/following' : shelfPath}`,
      },
      ...(await linksOf(deps, email)),
    }
  },
})

/** The choices of a person who gets such mails. */
async function findWantedChoices({ database, config }: LetterDeps, userId: string) {
  const choices = await findChoices(database, userId, config.timeZone)
  return choices.byMail && (await findSuspension(database, userId)) === undefined ? choices : undefined
}

/**
 * The link to all choices, and the header by which mail programs switch all mails off (RFC 8058). The address in the header
 * contains its token, which logs may keep: this token can do nothing else.
 */
async function linksOf(
  { database, random, config }: LetterDeps,
  { userId, address }: EmailOfPerson,
): Promise<Required<Pick<Letter, 'choicesAddress' | 'headers'>>> {
  const link = { userId, boundTo: address }
  const choices = await addMailLink(database, random, { ...link, purpose: 'choices' })
  const unsubscribe = await addMailLink(database, random, { ...link, purpose: 'unsubscribe' })
  return {
    choicesAddress: choicesLink(config.publicOrigin, choices),
    headers: {
      'List-Unsubscribe': `<${config.publicOrigin}${unsubscribePath(unsubscribe)}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

interface Week {
  userId: string
  until: string
}

interface News {
  count: number
  names: string
}

const postsMax = 50

async function followedPostsOf(db: Db, { userId, until }: Week): Promise<News> {
  const since = Temporal.Instant.from(until).subtract({ hours: 7 * 24 })
  const { posts } = await listFollowedPosts(db, userId, { limit: postsMax, before: undefined })
  const fresh = posts.filter(
    ({ publishedAt }) => publishedAt !== null && Temporal.Instant.compare(publishedAt, since) > 0,
  )
  return { count: fresh.length, names: listOf([...new Set(fresh.map(({ authorName }) => authorName))]) }
}

/** Everybody may read these stories. */
async function finishedStoriesOf(db: Db, { until }: Week): Promise<News> {
  const { rows } = await db.execute<{ name: string; count: number }>(sql`
    select name, count(*) over ()::int as count from rooms
    where is_public and last_position > 0
      and expires_at > ${until}::timestamptz - interval '7 days' and expires_at <= ${until}::timestamptz
    order by expires_at desc, id desc limit ${namesMax + 1}::int`)
  return { count: rows[0]?.count ?? 0, names: listOf(rows.map(({ name }) => `“${name}”`)) }
}

const namesMax = 5

/** A name of a room may have line feeds, which would make paragraphs of the mail. */
const listOf = (names: string[]): string =>
  [...names.slice(0, namesMax).map(onOneLine), ...(names.length > namesMax ? ['others'] : [])].join(', ')

const countOf = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`
