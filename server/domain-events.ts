import type { Db } from './platform/database/pool.ts'
import type { Call } from './platform/http/endpoints/handle.ts'

/** The call of a person who changes something of the own account. */
export type ChangeCall = Pick<Call, 'db' | 'limit' | 'afterCommit'> & { viewer: { id: string } }

/** Events within the transaction of a change, which waits for each listener. A listener that fails undoes the change. */
interface EventsWithin {
  /** A person has added a friend, without an invitation. Both people are locked. */
  friendAdded: [db: Db, oneId: string, otherId: string]
  /** A person has switched the own page on or off. */
  pageSwitched: [call: ChangeCall]
  /** A person has set a new password. */
  passwordChanged: [db: Db, personId: string]
  /** A person has signed up, and may get a mail that confirms the address. */
  confirmationDue: [db: Db, personId: string]
  /** The push service takes no push about these events of the inbox of a person, who is locked. */
  pushRefused: [db: Db, refused: { personId: string; eventNumbers: number[]; inSeconds: number }]
  /** The author has changed a waiting post. The row with the new id is in `posts`, and the one with the old id about to leave. */
  postIdChanged: [db: Db, change: { fromId: string; toId: string; authorId: string }]
  /** The row of a post is about to leave `posts`, and is among those that were taken back already. */
  postTakenBack: [db: Db, postId: string]
  /** The row of a post is in `posts` again, and about to leave those that were taken back. */
  postRestored: [db: Db, postId: string]
  /** A session gets a new token. The row with the new hash is stored, and the one with the old hash is about to leave. */
  sessionRenewed: [db: Db, change: { fromHash: string; toHash: string }]
  /** A suspension hides the texts of a person, or hides them no more. */
  hiddenTextsChanged: [call: Pick<Call, 'db' | 'afterCommit'>, personId: string]
  /** Everybody may read these posts when the transaction commits: they are published, changed by an approval, or shown again. */
  postsPublishing: [db: Db, postIds: string[]]
  /** The row of a scheduled post is in `posts`, and about to leave those that are scheduled. */
  scheduledPostMoved: [db: Db, postId: string]
  /** A person changes whether others see the name. The old value is still stored. */
  showNameChanging: [call: ChangeCall, showName: boolean]
}

/** Events after the commit of a change. */
interface EventsAfter {
  /** An account was deleted with its data. */
  accountRemoved: []
  /** An admin has erased an aside of this room. */
  asideErased: [roomId: string]
  /** A day of the feed shows other posts or names. */
  feedDayChanged: [day: string]
  /** New events are in the inboxes of these people. */
  inboxesChanged: [personIds: readonly string[]]
  introductionsChanged: []
  /** An admin has erased a passage of this room. */
  passageErased: [roomId: string]
  /** Names on posts lead to a page, or no longer do. */
  postsChanged: []
  /** Everybody may read these posts from now on. */
  postsPublished: [postIds: string[]]
  /** A room has a member who came by a link. */
  roomMemberAdded: [roomId: string]
  /** The list of finished stories has changed. */
  shelfChanged: []
  /** Names on passages have changed, also in finished stories. */
  storiesChanged: []
}

export type Events = EventsWithin & EventsAfter
type EventName = keyof Events
type Listener<Name extends EventName> = (
  ...payload: Events[Name]
) => Name extends keyof EventsWithin ? Promise<void> : void

/** What happens in one feature and concerns others, within this process. Listeners are called in the order in which they were added. */
export class DomainEvents {
  readonly #listeners: { [Name in EventName]?: Listener<Name>[] } = {}

  on<Name extends EventName>(name: Name, listener: Listener<Name>): void {
    const listeners: Listener<Name>[] = (this.#listeners[name] ??= [])
    listeners.push(listener)
  }

  /** Call this after the commit. */
  emit<Name extends keyof EventsAfter>(name: Name, ...payload: Events[Name]): void {
    for (const listener of this.#listeners[name] ?? []) listener(...payload)
  }

  async emitWithin<Name extends keyof EventsWithin>(name: Name, ...payload: Events[Name]): Promise<void> {
    for (const listener of this.#listeners[name] ?? []) await listener(...payload)
  }
}
