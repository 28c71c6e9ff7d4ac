import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { submitPost } from '#contract/feed/endpoints.ts'
import { rounds, startUsedDatabase, startInstance, storedPosts } from './instance.ts'

/** Each job that runs every second has run within this time. */
const longestPauseOfJobsMs = 2000

test('while its database is unavailable the server answers 503 and logs no failed job, and within 5 s after its return it serves again [R15]', async () => {
  const database = await startUsedDatabase()
  const instance = await startInstance({ DATABASE_URL: database.url })
  const visitor = instance.client()
  const submit = (content: string) => visitor.tries(submitPost, { input: { content, authorName: 'Ana' } })
  const health = async (name: string) => (await fetch(`${instance.server.url}/health/${name}`)).status
  const kept: string[] = []
  let failedJobs: string[] | undefined
  for (let round = 0; round < rounds; round++) {
    kept.push(`Before ${round}`, `After ${round}`)
    expect((await submit(`Before ${round}`)).status).toBe(201)

    await database.stop()
    for (const end = Date.now() + longestPauseOfJobsMs; Date.now() < end;) {
      const refused = await submit(`Meanwhile ${round}`)
      expect(refused.status).toBe(503)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect([await health('live'), await health('ready')]).toEqual([200, 503])
    // After the first outage. A minute after the start begin the purges and the backup, which log a failure.
    failedJobs ??= instance.server.output().match(/"msg":"[^"]* failed"/g) ?? []

    await database.start()
    const deadline = Date.now() + 5000
    let answer = await submit(`After ${round}`)
    while (answer.status === 503 && Date.now() < deadline) {
      await delay(50)
      answer = await submit(`After ${round}`)
    }
    expect([answer.status, await health('ready')]).toEqual([201, 200])
  }
  expect(instance.server.process.exitCode).toBeNull()
  // The jobs that run every second try again, and log nothing.
  expect(failedJobs).toEqual([])
  const stored = (await storedPosts(instance.client())).map(([content]) => content)
  expect(stored).toEqual(kept.toSorted())
})
