import { and, desc, eq, isNotNull, lt, type SQL, sql } from 'drizzle-orm'
import { listedEvents } from '#contract/inbox/live.ts'
import { notificationDays, notificationsMax } from '#contract/inbox/notification.ts'
import { liveGapMax } from '#contract/live/events.ts'
import { awayNotificationKindOf } from '#contract/away-notifications/choices.ts'
import { sessions } from '#server/features/account/index.ts'
import { deleteBefore } from '#server/platform/database/delete-before.ts'
import { type Db, arrayParameter, perHandle } from '#server/platform/database/pool.ts'
import type { EventDetails, EventReference, InboxEventName } from './event-types.ts'
import { inboxEvents } from './schema.ts'

export interface NewEvent {
  personId: string
  /** Another person whom the event mentions, friend or not. The event is deleted with the account of that person (S15). */
  otherPersonId: string | null
  /** Ids from which the loader of the event loads its content, and times. None of them may be the id of a person. */
  details?: EventDetails
}

/** The key of the other person in the stored JSON, by which an index finds the events that mention a person. */
const otherPersonKey = sql.raw("'friendUserId'")

/** Whether the bell lists an event. It lists a new friendship only for the friend who was added. */
const isListed = (name: InboxEventName, { details = {} }: NewEvent) =>
  listedEvents.some((listed) => listed === name) && (name !== 'friend.added' || 'addedByFriendAt' in details)

/** Adds one event to the inbox of each person. `events` must not name a person twice: the statement would fail. */
export async function addInboxEvents(
  db: Db,
  name: InboxEventName,
  events: readonly NewEvent[],
): Promise<void> {
  const personIds = events.map(({ personId }) => personId)
  const otherPersonIds = events.map(({ otherPersonId }) => otherPersonId)
  const details = events.map((event) => JSON.stringify(event.details ?? {}))
  const areListed = events.map((event) => isListed(name, event))
  const areToldAway = areListed.map((is) => is && name in awayNotificationKindOf)
  const parts = inboxEventCtes(sql`
    select person_id, ${name}::text as name, other_person_id, details, is_listed, is_told_away
    from unnest(
      ${sql.param(personIds)}::text[], ${sql.param(otherPersonIds)}::text[], ${sql.param(details)}::jsonb[], ${sql.param(areListed)}::bool[],
      ${sql.param(areToldAway)}::bool[]
    ) as event (person_id, other_person_id, details, is_listed, is_told_away)`)
  const ctes = Object.entries(parts).map(([part, query]) => sql`${sql.identifier(part)} as (${query})`)
  await db.execute(sql`with ${sql.join(ctes, sql`, `)} select`)
  if (areListed.includes(true)) await removeOldestFromBell(db, personIds)
}

/**
 * Removes all events but the newest `notificationsMax` from the bell of each person. The caller has locked the counters of
 * these people.
 */
async function removeOldestFromBell(db: Db, personIds: string[]): Promise<void> {
  await removeFromBell(
    db,
    personIds,
    sql`number <= (
      select number from inbox_events as listed
      where listed.user_id = inbox_events.user_id and listed.unseen_since is not null
      order by number desc offset ${notificationsMax}::int limit 1)`,
  )
}

/**
 * Removes the events of these people that match a condition from the bell. Returns whether the bell listed one of them. Then
 * deletes all events of these people that neither the bell nor a stream that resumes needs.
 */
async function removeFromBell(db: Db, personIds: string[], condition: SQL): Promise<boolean> {
  const ofPeople = sql`inbox_events.user_id = any(${sql.param(personIds)}::text[])`
  const { rowCount } = await db.execute(sql`
    update inbox_events set unseen_since = null where ${ofPeople} and unseen_since is not null and ${condition}`)
  if (rowCount === 0) return false
  await db.execute(sql`
    delete from inbox_events using inboxes
    where ${ofPeople} and inboxes.user_id = inbox_events.user_id and number <= last_event - ${liveGapMax}::int
      and unseen_since is null`)
  return true
}

/**
 * Common table expressions, by name, for a statement that adds events together with its own change. `events` is a query
 * with the columns `person_id`, `name`, `other_person_id`, `details`, `is_listed` (by the bell) and `is_told_away` (the person is told
 * of it while away), and with one event for each person. Counter rows are locked in the order of person ids, which prevents deadlocks.
 * Each new event deletes the event `liveGapMax` before it, if the bell does not list it. A stream that is so far behind gets `reset`.
 */
export const inboxEventCtes = (events: SQL): Record<string, SQL> => ({
  new_events: events,
  counted: sql`
    insert into inboxes (user_id, last_event) select person_id, 1 from new_events order by person_id
    on conflict (user_id) do update set last_event = inboxes.last_event + 1
    returning user_id, last_event`,
  added_events: sql`
    insert into inbox_events (user_id, number, name, ids, unseen_since, notice_at)
    select user_id, last_event, name,
      details || jsonb_strip_nulls(jsonb_build_object(${otherPersonKey}, other_person_id)),
      case when is_listed then app_now() end,
      case when is_told_away then case
        when ${hasDevice(sql`counted.user_id`)} then app_now() + interval '10 seconds'
        when ${hasMailbox(sql`counted.user_id`)} then app_now() + case
          when ${isOverSoon(sql`details`)} then interval '10 seconds' else interval '30 minutes' end
      end end
    from counted join new_events on person_id = user_id`,
  // Finds each event by its key. A join would read all events, where Postgres planned it while there were few.
  removed_events: sql`
    delete from inbox_events using counted, lateral (
      select old.ctid from inbox_events old
      where old.user_id = counted.user_id and old.number = last_event - ${sql.raw(String(liveGapMax))}
        and old.unseen_since is null
      offset 0
    ) old
    where inbox_events.ctid = old.ctid`,
})

const mentions = (personId: string) => sql`ids ->> ${otherPersonKey} = ${personId}`

/**
 * Locks the counters of people, and of those with events that mention a person, before the deletion of an account. They are
 * locked in one order for everybody: people whose events mention each other can delete their accounts at the same time.
 */
export async function lockInboxes(db: Db, which: InboxesToLock): Promise<void> {
  await db.execute(inboxesToLock(which))
}

/** Locks the counters of people in the order of their ids, and makes those that are missing. */
export async function lockInboxesOf(db: Db, personIds: string[]): Promise<void> {
  await db.execute(sql`
    insert into inboxes (user_id, last_event)
    select distinct person_id, 0 from unnest(${sql.param(personIds)}::text[]) as person_id order by person_id
    on conflict (user_id) do update set last_event = inboxes.last_event`)
}

interface InboxesToLock {
  /** The inboxes of these people are locked. */
  ownerIds: string[]
  /** The inboxes with an event that mentions this person are locked, too. */
  mentionedId: string
}

/** The ids are one array: with `or`, or with `in`, Postgres scans all counters. */
export const inboxesToLock = ({ ownerIds, mentionedId }: InboxesToLock): SQL => sql`
  select 1 from inboxes
  where user_id = any(array(
    select user_id from inbox_events where ${mentions(mentionedId)}
    union select unnest(${sql.param(ownerIds)}::text[])
  ))
  order by user_id for no key update`

/** Deletes the events of other people that mention a person. Call `lockInboxes` first. */
export async function removeEventsMentioning(db: Db, personId: string): Promise<void> {
  await db.execute(sql`delete from inbox_events where ${mentions(personId)}`)
}

/**
 * The number of the newest event of each person with an account; 0 without events. A join would read the inboxes or accounts of
 * all people: the subquery and `offset 0` keep Postgres from making one.
 */
export const listInboxStates = (db: Db, personIds: string[]) =>
  db
    .select({
      id: sql<string>`asked`,
      lastEvent: sql<number>`coalesce((select last_event from inboxes where user_id = asked), 0)`,
    })
    .from(sql`unnest(${sql.param(personIds)}::text[]) as asked`)
    .where(sql`exists (select 1 from users where id = asked offset 0)`)

export const referenceOf = ({ friendUserId, ...details }: StoredEvent['ids']): EventReference => ({
  ...details,
  ...(friendUserId !== undefined && { otherPersonId: friendUserId }),
})

export interface StoredEvent {
  number: number
  name: string
  ids: Record<string, string>
}

export interface InboxEventBatch {
  /** The number of the newest event of the person, also when it is not in this batch. */
  lastEvent: number
  /** In the order of their numbers. When there are many, only the first of them. */
  events: StoredEvent[]
}

/** Asks for the events of a person after a number. */
export interface EventsRequest {
  personId: string
  after: number
}

/**
 * At most `eventsPerRequest` events for each request, oldest first. One statement reads the events of all requests. A
 * person who does not exist has no entry.
 */
export async function findInboxEvents(
  db: Db,
  requests: readonly EventsRequest[],
): Promise<Map<EventsRequest, InboxEventBatch>> {
  const rows = await selectEvents(db).execute({
    personIds: requests.map(({ personId }) => personId),
    afters: requests.map(({ after }) => after),
  })
  const found = Map.groupBy(rows, ({ ordinal }) => requests[ordinal - 1]!)
  return new Map(
    Array.from(found, ([request, ofRequest]) => [
      request,
      {
        lastEvent: ofRequest[0]!.lastEvent,
        events: ofRequest.flatMap(({ number, name, ids }) => (number === null ? [] : { number, name, ids })),
      },
    ]),
  )
}

const eventsPerRequest = 100

const selectEvents = perHandle((db) =>
  db
    .select({
      ordinal: sql<number>`asked.ordinal`,
      lastEvent: sql<number>`coalesce(inboxes.last_event, 0)`,
      number: sql<number | null>`next.number`,
      name: sql<string>`next.name`,
      ids: sql<Record<string, string>>`next.ids`,
    })
    .from(
      sql`unnest(${arrayParameter('personIds', 'text')}, ${arrayParameter('afters', 'int')})
          with ordinality as asked (person_id, after, ordinal)
        join users on users.id = asked.person_id
        left join inboxes on inboxes.user_id = users.id
        left join lateral (
          select number, name, ids from inbox_events
          where inbox_events.user_id = users.id and number > asked.after
          order by number limit ${sql.raw(String(eventsPerRequest))}
        ) next on true`,
    )
    .orderBy(sql`asked.ordinal, next.number`)
    .prepare('select_inbox_events'),
)

/** The events that the bell of a person lists, because the person has not seen them. Newest first. */
export const listUnseenNotifications = (
  db: Db,
  personId: string,
  { limit, before }: { limit: number; before: number | undefined },
) =>
  db
    .select({ number: inboxEvents.number, name: inboxEvents.name, ids: inboxEvents.ids })
    .from(inboxEvents)
    .where(
      and(
        eq(inboxEvents.userId, personId),
        isNotNull(inboxEvents.unseenSince),
        before === undefined ? undefined : lt(inboxEvents.number, before),
      ),
    )
    .orderBy(desc(inboxEvents.number))
    .limit(limit)

/** A condition: the person of this id can get pushes. A page that is open gets the event long before ten seconds. */
const hasDevice = (personId: SQL) =>
  sql`exists (select 1 from push_devices where push_devices.user_id = ${personId})`

/** A condition: the person of this id can get mails. */
const hasMailbox = (personId: SQL) => sql`
  exists (
    select 1 from emails left join mail_bounces using (user_id)
    where emails.user_id = ${personId} and confirmed_at is not null and kind is null)`

/** A condition: the event invites to a room that ends before a mail would leave. */
const isOverSoon = (details: SQL) => sql`
  exists (
    select 1 from rooms
    where rooms.id = (${details} ->> 'roomId')::uuid and expires_at <= app_now() + interval '30 minutes')`

/** Marks events of a person as seen. Returns whether the bell listed one of them. */
export async function markSeen(db: Db, personId: string, numbers: number[]): Promise<boolean> {
  // A new event locks the counter first, too. Therefore two changes of one inbox cannot deadlock.
  await db.execute(sql`select 1 from inboxes where user_id = ${personId} for no key update`)
  return removeFromBell(db, [personId], sql`number = any(${sql.param(numbers)}::int[])`)
}

/** Deletes events that the bell has listed for `notificationDays`. */
export const purgeNotifications = (db: Db, signal?: AbortSignal): Promise<void> =>
  deleteBefore(
    db,
    inboxEvents.unseenSince,
    sql`app_now() - make_interval(days => ${notificationDays})`,
    signal,
  )

/** Asks which of these sessions belong to one of these people. */
export interface SessionsRequest {
  personIds: string[]
  tokenHashes: string[]
}

/**
 * Answers for each request which of its sessions belong to one of its people, as `{ id, tokenHash }` with the id of the person. One
 * statement reads the sessions of all requests, so an answer may also have sessions of these people that only another request named.
 * Expired sessions are found until they are deleted.
 */
export async function matchSessions(db: Db, requests: readonly SessionsRequest[]) {
  const found = await selectSessions(db).execute({
    tokenHashes: requests.flatMap(({ tokenHashes }) => tokenHashes),
  })
  return new Map(
    requests.map((request) => {
      const wanted = new Set(request.personIds)
      return [request, found.filter(({ id }) => wanted.has(id))] as const
    }),
  )
}

/**
 * Reads each session by its key. `limit 1` keeps Postgres from making one join for all tokens, whose number it does not know: for a
 * join it would read the sessions of all people.
 */
const selectSessions = perHandle((db) => {
  const session = db
    .select({ id: sessions.userId, tokenHash: sessions.tokenHash })
    .from(sessions)
    .where(sql`${sessions.tokenHash} = asked`)
    .limit(1)
    .as('session')
  return db
    .select({ ...session._.selectedFields })
    .from(sql`unnest(${arrayParameter('tokenHashes', 'text')}) asked`)
    .innerJoinLateral(session, sql`true`)
    .prepare('select_inbox_sessions')
})
