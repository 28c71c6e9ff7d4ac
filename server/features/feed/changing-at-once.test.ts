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
import { changePostVisibility } from '#contract/feed/review/endpoints.ts'
import { hide, show, startReview } from '#server/testing/reviewing.ts'

const callsAtOnce = 50

type Stored = {
  id: string
  content: string
  replaces_id?: string | null
  post_id?: string
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
