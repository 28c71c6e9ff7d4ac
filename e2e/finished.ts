import { login, register } from '#contract/account/endpoints.ts'
import { approvePost, submitPost } from '#contract/feed/endpoints.ts'
import { sendPassage } from '#contract/rooms/endpoints.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import { administrator } from '../scripts/testing/running-server.ts'
import { startWithClock } from './clock.ts'
import { makeRoom } from './people.ts'
import { test as base } from './test.ts'

export const poem = 'Under the lamp\n\nThe owl has read\nevery page twice.\n\nIt turns\nthe last one.'

/** Each paragraph begins with a word that stands nowhere else, and ends with another one. */
export const paragraphs = Array.from(
  { length: 40 },
  (_, i) => `begin${i}x ${'The ferry went over the dark water, and nobody spoke. '.repeat(12)}end${i}x`,
)

// Lines that are long enough to turn on a phone.
export const hebrew = 'הנר כבה לאט לאט בחדר השקט שבו ישבנו כל הלילה וקראנו'
export const arabic = 'انطفأ المصباح ببطء في الغرفة الهادئة حيث جلسنا نقرأ طوال'
const verseOf = (line: string) =>
  `${Array.from({ length: 4 }, () => line).join('\n')}\n\nA line from the left\n${line}`

type Name = 'short' | 'hebrew' | 'long' | 'verses' | 'poem'

/** A server on which stories have ended, with posts and people. */
interface Finished {
  url: string
  /** The room of each story. */
  rooms: Record<Name, string>
  /** The id of each article. */
  articles: { long: string; hebrew: string; arabic: string; poem: string }
  people: { ana: string; noa: string; rhea: string }
}

/** A story ends after a quarter of an hour at the earliest, which takes a server with another clock. All tests of a worker share it. */
export const test = base.extend<object, { finished: Finished }>({
  finished: [
    async ({ processes }, run) => {
      const server = await startWithClock(processes)
      const { lastEnd, ...finished } = await writeAll(server.url)
      await server.restart('SIGTERM', new Date(Date.parse(lastEnd) + 1000))
      await run({ url: server.url, ...finished })
      await server.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

async function writeAll(url: string) {
  const client = () => new HttpClient(() => url)
  const admin = client()
  await admin.does(login, { input: administrator })
  const signUp = async (firstName: string, lastName: string) => {
    const own = client()
    const input = {
      email: `${firstName.toLowerCase()}@example.org`,
      password: 'secret1',
      firstName,
      lastName,
    }
    const { id } = await own.does(register, { input })
    return { id, client: own, authorName: `${firstName} ${lastName}` }
  }
  const ana = await signUp('Ana', 'Lima')
  const noa = await signUp('Noa', 'Levi')
  const rhea = await signUp('Rhea', 'Quill')
  const publish = async (writer: typeof ana, content: string) => {
    const input = { content, authorName: writer.authorName }
    const post = await writer.client.does(submitPost, { input })
    return (await admin.does(approvePost, { params: { id: post.id } })).id
  }
  let lastEnd = ''
  const write = async (writer: typeof ana, contents: string[]) => {
    const { id, expiresAt } = await makeRoom(writer, { duration: 15 })
    for (const content of contents)
      await writer.client.does(sendPassage, { params: { id }, input: { content } })
    lastEnd = expiresAt
    return id
  }
  const articles = {
    long: await publish(ana, `The ferry\n\n${paragraphs.join('\n\n')}`),
    hebrew: await publish(noa, verseOf(hebrew)),
    arabic: await publish(noa, verseOf(arabic)),
    poem: await publish(rhea, poem),
  }
  const rooms = {
    short: await write(ana, ['It rained.', 'Still,\nsomebody sang.']),
    hebrew: await write(ana, ['שלום.\n\nשלום לך, עולם.']),
    long: await write(ana, paragraphs),
    verses: await write(noa, [verseOf(hebrew), verseOf(arabic)]),
    poem: await write(rhea, [poem]),
  }
  return { rooms, articles, people: { ana: ana.id, noa: noa.id, rhea: rhea.id }, lastEnd }
}
