import { approvePost, submitPost } from '#contract/feed/endpoints.ts'
import { search } from '#contract/search/endpoints.ts'
import { addPostWithoutWords, storeWords } from './post-words.ts'
import { type Client, startTestApp } from './test-app.ts'

/** People, posts and the search of them. Words are stored at once, without a wait for the task of the server. */
export async function startLibrary() {
  const t = await startTestApp({ config: { limitsRates: false } })
  const [ana, ben, boss] = [
    await t.person({ firstName: 'Ana', lastName: 'Lima' }),
    await t.person({ firstName: 'Ben', lastName: 'Okoro' }),
    await t.admin(),
  ]
  const submit = async (who: Client, content: string, authorName = 'Ana Lima') =>
    (await who.does(submitPost, { input: { content, authorName } })).id
  const approve = async (id: string) => {
    await boss.does(approvePost, { params: { id } })
    t.clock.advance(1000)
    await storeWords(t.db)
    return id
  }
  const publish = async (content: string, authorName?: string, who = ana) =>
    approve(await submit(who, content, authorName))
  /** Publishes a post of Ana without a review. */
  const publishPremium = async (content: string, choices: object = {}) => {
    const input = { content, authorName: 'Ana Lima', type: 'premium', ...choices } as const
    const { id } = await ana.does(submitPost, { input })
    await storeWords(t.db)
    return id
  }
  const addPublished = (content: string, at?: string) => addPostWithoutWords(t.db, content, at)
  const reader = t.visitor()
  const find = (q: string, more: object = {}, who: Client = reader) =>
    who.does(search, { query: { q, ...more } })
  /** The lines of the posts that are found. */
  const lines = async (q: string, more: object = {}, who?: Client) =>
    (await find(q, more, who)).posts.found.map(({ line }) => line.text)
  return { ...t, ana, ben, boss, submit, approve, publish, publishPremium, addPublished, reader, find, lines }
}
