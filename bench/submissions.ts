import { submitPost } from '#contract/feed/endpoints.ts'
import { connectionOf, inMegabytes, withInstance } from './instance.ts'
import { addPeople, markPostsIndexed, withDatabase } from './rows.ts'
import { fact, printTable } from './table.ts'
import { compareWithBareRows } from './writers.ts'

const writers = 32
const content = 'A line of a story that goes on for a while. '.repeat(14)

await withInstance(async ({ url, dataDir, memory }) => {
  const atRest = memory()
  const people = await withDatabase(dataDir, (db) => addPeople(db, writers))
  const figures = await compareWithBareRows({
    url,
    writers: people.map(({ cookie }) => ({
      path: submitPost.path,
      cookie,
      body: JSON.stringify({ authorName: 'Ana Lima', content }),
    })),
    bare: {
      connection: await connectionOf(dataDir),
      insert: `insert into posts (author_id, content_digest, id, content, author_name, post_type, created_at)
        values ($1, $2::bigint, $3, $4, 'Ana Lima', 'standard', app_now())`,
      writers: people.map(({ id }) => [id]),
      content,
    },
    ratio: 0.4,
    unit: 'submissions',
    afterRound: () => withDatabase(dataDir, markPostsIndexed),
  })
  printTable(`${writers} people submit at once, each post on disk before its answer`, [
    ...figures,
    fact('memory of the server at rest', inMegabytes(atRest)),
    fact('memory of the server afterwards', inMegabytes(memory())),
  ])
})
