import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { approvePost } from '#contract/feed/endpoints.ts'
import {
  changePost,
  deleteTakenBackPost,
  type EditablePost,
  getOwnPost,
  restorePost,
  takeBackPost,
} from '#contract/feed/own/endpoints.ts'
import { getPost } from '#contract/feed/reading/endpoints.ts'
import { changePostVisibility } from '#contract/feed/review/endpoints.ts'
import { createLog } from '#server/log.ts'
import { hide, show, startReview } from '#server/testing/reviewing.ts'
import { savePostWords } from './words.ts'

const callsAtOnce = 50

type Stored = {
  id: string
  content: string
  replaces_id?: string | null
  post_id?: string
  published_at?: string | null
  is_visible?: boolean
}

test.each([
  ['and deletes it for good', true],
  ['and never deletes it', false],
])(
  'an author edits a post, takes it back, restores it %s in fifty calls at once, while admins decide about it: no call fails, there is one post, and no text is lost [LOOP-07 LOOP-08 LOOP-34]',
  async (_how, deletes) => {
    const { db, ana, boss, chief, publish, queue } = await startReview()
    const id = await publish('text')
    const params = { id }
    const sent = new Set(['text'])
    /** Edits the text that is stored, as often as another edit is first. */
    const edit = async (n: number) => {
      const content = `text ${n}`
      for (;;) {
        const current = await ana.tries(getOwnPost, { params })
        if (current.status !== 200) return current
        const { updatedAt: base } = current.body as EditablePost
        const answer = await ana.tries(changePost, { params, input: { content, base } })
        if (answer.code === 'PostConflict') continue
        if (answer.status === 201) sent.add(content)
        return answer
      }
    }
    const approve = async (by: typeof boss) => {
      const [waiting] = await queue()
      return waiting === undefined ? undefined : by.tries(approvePost, { params: { id: waiting } })
    }
    const works = [
      edit,
      () => approve(boss),
      edit,
      () => approve(chief),
      () => boss.tries(changePostVisibility, hide(id)),
      () => ana.tries(takeBackPost, { params }),
      () => ana.tries(restorePost, { params }),
      edit,
      () => chief.tries(changePostVisibility, show(id)),
      () => (deletes ? ana.tries(deleteTakenBackPost, { params }) : ana.tries(restorePost, { params })),
    ]
    const answers = await Promise.all(
      Array.from({ length: callsAtOnce }, (_, n) => works[(n * 7) % works.length]!(n)),
    )
    const statuses = new Set(answers.map((answer) => answer?.status))
    for (const status of statuses) expect([undefined, 200, 201, 400, 404, 409]).toContain(status)

    const read = async (table: string) =>
      (await db.execute<Stored>(sql`select * from ${sql.identifier(table)}`)).rows
    const [posts, takenBack] = [await read('posts'), await read('taken_back_posts')]
    const versions = (await read('post_versions')).filter(({ post_id }) => post_id === id)
    const own = posts.filter((post) => post.id === id)
    const ofPost = [...own, ...takenBack.filter((post) => post.id === id)]
    const waiting = posts.filter(({ replaces_id }) => replaces_id === id)
    // A post that was deleted for good leaves nothing.
    const isGone = deletes && ofPost.length === 0
    expect(ofPost).toHaveLength(isGone ? 0 : 1)
    expect(waiting.length).toBeLessThanOrEqual(own.length)
    const kept = [...ofPost, ...waiting, ...versions].map(({ content }) => content)
    expect(kept.toSorted()).toEqual(isGone ? [] : [...sent].toSorted())
  },
)

test.each([1, 2, 3, 4, 5, 6])(
  'an author edits, unpublishes, deletes and restores a post while two admins approve it, fifty calls at once in the order %i: one whole state is left, which readers see, and the log has no error [LOOP-07 LOOP-08 LOOP-09 LOOP-10]',
  async (seed) => {
    const failures: string[] = []
    const logger = createLog('error', { write: (line) => void failures.push(line) })
    const { db, ana, boss, chief, visitor, publish, queue, readFeed } = await startReview({ logger })
    const id = await publish('text')
    const params = { id }
    const sent = new Set(['text'])
    /** Edits the text that is stored. Tries again when another call is first. */
    const edit = async (n: number) => {
      const content = `text ${n}`
      let answer
      for (let tries = 0; tries < 6 && answer?.status !== 201; tries++) {
        answer = await ana.tries(getOwnPost, { params })
        if (answer.status !== 200) continue
        const { updatedAt: base } = answer.body as EditablePost
        answer = await ana.tries(changePost, { params, input: { content, base } })
      }
      if (answer!.status === 201) sent.add(content)
      return answer!
    }
    const approve = async (n: number) => {
      const [waiting] = await queue()
      return (n % 2 === 0 ? boss : chief).tries(approvePost, { params: { id: waiting ?? id } })
    }
    const takeBack = async (n: number, kind: 'unpublished' | 'deleted') => {
      const answer = await ana.tries(takeBackPost, { params, query: { kind } })
      // Undone, so that the other calls find the post, but at the end of every other order.
      return n >= (seed % 2 === 0 ? 45 : 15) ? answer : ana.tries(restorePost, { params })
    }
    const works = [
      edit,
      approve,
      edit,
      (n: number) => takeBack(n, 'unpublished'),
      approve,
      edit,
      approve,
      edit,
      (n: number) => takeBack(n, 'deleted'),
      edit,
    ]
    const calls = Array.from({ length: callsAtOnce }, (_, n) => () => works[n % works.length]!(n))
    const answers = await Promise.all(shuffled(calls, seed).map((call) => call()))
    for (const { status } of answers) expect([200, 201, 400, 404, 409]).toContain(status)
    expect(failures).toEqual([])

    const read = async (table: string) =>
      (await db.execute<Stored>(sql`select * from ${sql.identifier(table)}`)).rows
    const [posts, takenBack, versions] = [
      await read('posts'),
      await read('taken_back_posts'),
      await read('post_versions'),
    ]
    const isPost = (row: Stored) => row.id === id
    const waiting = posts.filter(({ replaces_id }) => replaces_id === id)
    const published = posts.filter((row) => row.published_at != null && row.is_visible)
    expect([...posts, ...takenBack].filter(isPost)).toHaveLength(1)
    expect(posts.length + takenBack.length).toBe(1 + waiting.length)
    expect(waiting.length).toBeLessThanOrEqual(posts.filter(isPost).length)
    expect(new Set(versions.map(({ post_id }) => post_id))).toEqual(new Set(versions.length > 0 ? [id] : []))
    expect([...posts, ...takenBack, ...versions].map(({ content }) => content).toSorted()).toEqual(
      [...sent].toSorted(),
    )

    const words = await read('post_words')
    expect(words.map(({ post_id }) => post_id)).toEqual(published.map((row) => row.id))
    await savePostWords(
      db,
      published.map((row) => row.id),
    )
    expect(await read('post_words')).toEqual(words)
    expect(await readFeed()).toEqual(published.map(({ content }) => content))
    const found = await visitor().tries(getPost, { params })
    expect(found.status === 200 ? [(found.body as { content: string }).content] : []).toEqual(
      published.map(({ content }) => content),
    )
  },
)

/** The same order for the same seed. */
function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  let state = seed
  const random = () => (state = (state * 48_271) % 2_147_483_647)
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item)
}
