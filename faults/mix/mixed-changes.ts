import { setTimeout as delay } from 'node:timers/promises'
import { deleteAccount, login, register } from '#contract/account/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { uploadCover } from '#contract/covers/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { approvePost, approvePosts, createPost, submitPost } from '#contract/feed/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { uploadIssue } from '#contract/magazine/endpoints.ts'
import { deleteMessage, markRead, sendMessage } from '#contract/messages/endpoints.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import { createRoom, deleteRoom, joinRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import type { Room, RoomPassage } from '#contract/rooms/room.ts'
import { aPdf, aPng } from '#server/testing/uploads.ts'
import type { HttpClient } from '../../scripts/testing/http-client.ts'
import { administrator } from '../../scripts/testing/running-server.ts'
import { oneOf, randomFrom } from '../random.ts'
import type { KeyHeader } from '../retry.ts'
import { sendFile } from '../send-file.ts'
import { Changes } from './changes.ts'
import { type Certainty, type DayText, Journal, type TrackedRow, type Upload } from './journal.ts'

interface Options {
  client: () => HttpClient
  seed: number
  /** The pause of each person between two changes. */
  pauseMs?: number
  /** Whether an admin uploads files. */
  hasUploads?: boolean
}

interface Writer {
  row: TrackedRow
  id: string
  client: HttpClient
  friend: Writer | undefined
}

interface OpenRoom {
  row: TrackedRow
  isPublic: boolean
  memberIds: Set<string>
}

interface SentMessage {
  row: TrackedRow
  sender: Writer
  receiver: Writer
}

const writerCount = 5
/** With more open rooms an admin deletes one. A person may have 20. */
const openRoomsMax = 40
const issueBytes = 256 * 1024
/** Each upload stays on the disk for an hour. */
const betweenUploadsMs = 200
const password = 'secret pass 1'

/** Starts people who make changes of every kind at the same time. Returns a journal of the changes and their answers. */
export async function startMixedChanges({ client, seed, pauseMs = 0, hasUploads = false }: Options) {
  const journal = new Journal()
  const random = randomFrom(seed)
  const changes = new Changes(journal, random)
  const writers: Writer[] = []
  const rooms: OpenRoom[] = []
  const waitingPosts: TrackedRow[] = []
  const messages: SentMessage[] = []
  let number = 0
  let isOver = false
  let isPaused = false
  let inWork = 0

  const actions: ((writer: Writer) => Promise<unknown>)[] = [
    saveEntry,
    saveNote,
    async (writer) => {
      const post = await writePost(writer)
      if (post?.added === 'yes') waitingPosts.push(post)
    },
    openRoom,
    joinSomeRoom,
    writePassage,
    writePassage,
    (writer) => sendMessageTo(writer, writer.friend!),
    (writer) => sendMessageTo(writer, writer.friend!),
    readMessages,
    deleteOwnMessage,
  ]

  const admin = client()
  await admin.does(login, { input: administrator })
  while (writers.length < writerCount) writers.push((await registerPerson())!)
  for (const [index, writer] of writers.entries()) await befriend(writer, writers[(index + 1) % writerCount]!)
  const work = Promise.all([
    ...writers.map((writer) => repeat(() => oneOf(random, actions)(writer))),
    repeat(approveSomePosts),
    repeat(deleteSomeRoom),
    repeat(registerAndLeave),
    ...(hasUploads ? [repeat(upload)] : []),
  ])
  // A failure is thrown by `finish`.
  work.catch(() => {})

  return {
    journal,
    /** Answers that nothing explains: each is a fault. */
    unexpected: changes.unexpected,
    /** Waits until that many more changes are acknowledged. */
    untilMore: async (more: number, withinMs = 60_000) => {
      const goal = journal.acknowledged + more
      for (const from = Date.now(); journal.acknowledged < goal; await delay(5))
        if (Date.now() - from > withinMs) throw new Error(`Not ${more} changes within ${withinMs} ms.`)
    },
    /** Waits until everybody has finished the present change. Nobody changes anything until the returned function is called. */
    pause: async () => {
      isPaused = true
      while (inWork > 0) await delay(1)
      return () => {
        isPaused = false
      }
    },
    finish: async () => {
      isOver = true
      await work
    },
  }

  async function repeat(action: () => Promise<unknown>) {
    while (!isOver) {
      if (isPaused) await delay(1)
      else {
        inWork++
        await action().finally(() => inWork--)
        await delay(pauseMs)
      }
    }
  }

  async function registerPerson(): Promise<Writer | undefined> {
    const email = `person${++number}@example.org`
    const row = journal.add('person', email)
    const person = client()
    const call = () => person.tries(register, { input: { email, password, firstName: 'Ana' } })
    let joined = await changes.change<User>(call, { expected: [400] })
    if (joined.kind === 'refused') {
      // The first call registered the person, and its answer was lost: a repeated one finds the address taken.
      row.added = joined.isFirst ? 'no' : 'yes'
      joined = await changes.change<User>(() => person.tries(login, { input: { email, password } }))
    }
    if (joined.kind !== 'done') return undefined
    const { id } = joined.answer
    Object.assign(row, { added: 'yes', id })
    return { row, id, client: person, friend: undefined }
  }

  async function befriend(writer: Writer, friend: Writer) {
    writer.friend = friend
    const friendship = journal.add('friendship', [writer.id, friend.id].toSorted().join(' '), [
      writer.row,
      friend.row,
    ])
    const input = { friendUserId: friend.id }
    return changes.addPair(friendship, (headers) => writer.client.tries(addFriend, { input, headers }))
  }

  function saveEntry(writer: Writer) {
    return saveDay(writer, 'diary_entries', (date, content, headers) =>
      writer.client.tries(saveDiaryEntry, { input: { date, content }, headers }),
    )
  }

  function saveNote(writer: Writer) {
    return saveDay(writer, 'calendar_notes', (date, note, headers) =>
      writer.client.tries(saveCalendarNote, { input: { date, note }, headers }),
    )
  }

  async function saveDay(
    { row }: Writer,
    table: DayText['table'],
    save: (day: string, text: string, headers: KeyHeader) => Promise<Response>,
  ) {
    const day = `2025-06-${String(1 + Math.floor(random() * 28)).padStart(2, '0')}`
    const version: { text: string; added: Certainty } = { text: `Text ${++number}`, added: 'perhaps' }
    const known = journal.days.find((each) => each.table === table && each.writer === row && each.day === day)
    if (known === undefined) journal.days.push({ table, writer: row, day, versions: [version] })
    else known.versions.push(version)
    const outcome = await changes.change((headers) => save(day, version.text, headers))
    if (outcome.kind === 'done') version.added = 'yes'
  }

  async function writePost(writer: Writer) {
    const post = journal.add('post', `Post ${++number}`, [writer.row])
    const input = { content: post.text, authorName: 'Ana' }
    await changes.add(post, (headers) => writer.client.tries(submitPost, { input, headers }))
    return post
  }

  async function openRoom(writer: Writer) {
    const isPublic = random() < 0.5
    const about = { name: `Room ${++number}`, description: 'A story', duration: 120 as const, isPublic }
    const friends = isPublic ? [] : [writer.friend!]
    const row = journal.add('room', about.name)
    const input = { ...about, invitedFriends: friends.map(({ id }) => id) }
    const tooMany = 403
    const room = await changes.add<Room>(
      row,
      (headers) => writer.client.tries(createRoom, { input, headers }),
      [tooMany],
    )
    if (room === undefined) return
    const members = [writer, ...friends]
    for (const { id } of members) journal.add('membership', `${room.id} ${id}`, [row]).added = 'yes'
    rooms.push({ row, isPublic, memberIds: new Set(members.map(({ id }) => id)) })
  }

  async function joinSomeRoom(writer: Writer) {
    const room = oneOf(
      random,
      rooms.filter(({ isPublic, memberIds }) => isPublic && !memberIds.has(writer.id)),
    )
    if (room === undefined) return
    const { id } = room.row
    const membership = journal.add('membership', `${id} ${writer.id}`, [room.row, writer.row])
    const params = { id: id! }
    room.memberIds.add(writer.id)
    await changes.addPair(membership, (headers) => writer.client.tries(joinRoom, { params, headers }), [404])
  }

  async function writePassage(writer: Writer) {
    const room = oneOf(
      random,
      rooms.filter(({ memberIds }) => memberIds.has(writer.id)),
    )
    if (room === undefined) return
    const passage = journal.add('passage', `Passage ${++number}`, [room.row])
    const params = { id: room.row.id! }
    const input = { content: passage.text }
    // The room may have been deleted. A writer who gave up joining the room may be no member.
    await changes.add<RoomPassage>(
      passage,
      (headers) => writer.client.tries(sendPassage, { params, input, headers }),
      [403, 404],
    )
  }

  async function sendMessageTo(writer: Writer, receiver: Writer) {
    const row = journal.add('message', `Message ${++number}`, [writer.row, receiver.row])
    const input = { messageType: 'text' as const, receiverId: receiver.id, content: row.text }
    const sent = await changes.add<DirectMessage>(row, (headers) =>
      writer.client.tries(sendMessage, { input, headers }),
    )
    if (sent !== undefined && writers.includes(writer)) messages.push({ row, sender: writer, receiver })
  }

  /** Reads up to one of the newest messages. */
  async function readMessages(writer: Writer) {
    const message = oneOf(random, messages.filter(({ receiver }) => receiver === writer).slice(-3))
    if (message === undefined) return
    const input = { friendUserId: message.sender.id, messageId: message.row.id! }
    const outcome = await changes.change((headers) => writer.client.tries(markRead, { input, headers }), {
      // The sender may have just deleted it.
      expected: [404],
    })
    if (outcome.kind === 'done') journal.readings.push({ readerId: writer.id, message: message.row })
  }

  async function deleteOwnMessage(writer: Writer) {
    const own = messages.filter(({ sender }) => sender === writer)
    // The friend has mostly read the oldest message, and not yet the newest.
    const message = random() < 0.5 ? own[0] : own.at(-1)
    if (message === undefined) return
    messages.splice(messages.indexOf(message), 1)
    const params = { id: message.row.id! }
    await changes.delete(message.row, (headers) => writer.client.tries(deleteMessage, { params, headers }))
  }

  /** An admin approves one post, or three at once. */
  async function approveSomePosts() {
    const posts = waitingPosts.splice(0, random() < 0.5 ? 1 : 3)
    if (posts.length === 0) return delay(5)
    for (const post of posts) post.approved = 'perhaps'
    const outcome = await changes.change((headers) =>
      posts.length === 1
        ? admin.tries(approvePost, { params: { id: posts[0]!.id! }, headers })
        : admin.tries(approvePosts, { input: { postIds: posts.map(({ id }) => id!) }, headers }),
    )
    if (outcome.kind === 'done') for (const post of posts) post.approved = 'yes'
  }

  /** An admin deletes a room. */
  async function deleteSomeRoom() {
    if (rooms.length <= openRoomsMax) return delay(5)
    const [room] = rooms.splice(Math.floor(random() * rooms.length), 1)
    const params = { id: room!.row.id! }
    await changes.delete(room!.row, (headers) => admin.tries(deleteRoom, { params, headers }))
  }

  /** An admin uploads an issue of the magazine, and sometimes publishes an article with a picture. */
  async function upload() {
    const content = `%PDF-1.7\n${`Issue ${++number} `.repeat(issueBytes / 10)}\n%%EOF\n`
    const issue: Upload = { kind: 'issue', content, added: 'perhaps' }
    journal.uploads.push(issue)
    const outcome = await changes.change<{ url: string }>(
      (headers) => sendFile(admin, uploadIssue, aPdf(content), headers),
      { storesAnswer: true },
    )
    if (outcome.kind === 'done') Object.assign(issue, { added: 'yes', url: outcome.answer.url })
    if (random() < 0.3) await publishArticle()
    await delay(betweenUploadsMs)
  }

  async function publishArticle() {
    const cover: Upload = { kind: 'cover', added: 'perhaps' }
    journal.uploads.push(cover)
    const uploaded = await changes.change<{ imageUrl: string }>(() => sendFile(admin, uploadCover, aPng()))
    if (uploaded.kind !== 'done') return
    const { imageUrl } = uploaded.answer
    Object.assign(cover, { added: 'yes', url: imageUrl })
    const article = journal.add('post', `Article ${++number}`)
    article.approved = 'perhaps'
    const input = { content: article.text, authorName: 'Ana', imageUrl }
    await changes.add(article, (headers) => admin.tries(createPost, { input, headers }))
    article.approved = article.added
  }

  /** A person registers, writes something of each kind, and mostly deletes the account. */
  async function registerAndLeave() {
    const person = await registerPerson()
    if (person === undefined) return
    await writePost(person)
    await saveEntry(person)
    await saveNote(person)
    await joinSomeRoom(person)
    await writePassage(person)
    const friend = oneOf(random, writers)
    if (await befriend(person, friend)) await sendMessageTo(person, friend)
    if (random() < 0.3) return
    // The deletion of the account has ended the session.
    const gone = 401
    await changes.delete(person.row, (headers) => person.client.tries(deleteAccount, { headers }), gone)
  }
}
