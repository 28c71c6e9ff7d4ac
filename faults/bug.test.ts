import { expect, test } from 'vitest'
import { startInstance, storedPosts } from './instance.ts'
import { startWriters } from './writers.ts'

/** A bug outside of our code, which Node loads at the start and a signal triggers. */
const bug = (code: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => { ${code} })`)}`,
})

test.each([
  ['an error that nobody catches', "throw new Error('a bug')"],
  ['a promise that nobody awaits', "void Promise.reject(new Error('a bug'))"],
])(
  'after %s, which is logged, the server ends in order, and the next start serves all acknowledged posts [R16]',
  async (_name, code) => {
    const instance = await startInstance(bug(code))
    const writers = await startWriters(instance.client)
    await writers.untilMore(20)
    const ending = await instance.server.end('SIGUSR2')
    expect(ending).toMatchObject({ code: 1, signal: null })
    expect(ending.tookMs).toBeLessThan(10_000)
    expect(instance.server.output()).toMatch(/"message":"a bug".*"msg":"uncaught"/)
    expect([await instance.postmaster(), await instance.isOwned()]).toEqual([undefined, false])
    await instance.startAgain()
    await writers.untilMore(10)
    const acknowledged = await writers.finish()
    expect(await storedPosts(instance.client())).toEqual(acknowledged)
  },
)
