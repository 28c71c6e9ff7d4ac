import { expect, test } from 'vitest'
import { rounds, startInstance, storedPosts } from './instance.ts'
import { startWriters } from './writers.ts'

const readyWithinMs = 10_000

test('a server killed at any moment loses no acknowledged post, doubles none and starts again by itself [R1 R2 R4 R7]', async () => {
  const instance = await startInstance()
  const writers = await startWriters(instance.client)
  for (let round = 0; round < rounds; round++) {
    await writers.untilMore(40)
    await instance.server.end('SIGKILL')
    await instance.startAgain()
    expect(instance.server.readyMs).toBeLessThan(readyWithinMs)
  }
  await writers.untilMore(10)
  const acknowledged = await writers.finish()
  expect(await storedPosts(instance.client())).toEqual(acknowledged)
})

test('a server killed together with its database loses and doubles nothing either [R1 R2 R3 R7]', async () => {
  const instance = await startInstance()
  const writers = await startWriters(instance.client)
  for (let round = 0; round < rounds; round++) {
    await writers.untilMore(40)
    const postmaster = await instance.postmaster()
    const ended = instance.server.end('SIGKILL')
    process.kill(postmaster!, 'SIGKILL')
    await ended
    await instance.startAgain()
    expect(instance.server.readyMs).toBeLessThan(readyWithinMs)
  }
  await writers.untilMore(10)
  const acknowledged = await writers.finish()
  expect(await storedPosts(instance.client())).toEqual(acknowledged)
})

test('a database killed under a running server comes back, and nothing is lost or doubled [R2 R7 R15]', async () => {
  const instance = await startInstance()
  const writers = await startWriters(instance.client)
  for (let round = 0; round < rounds; round++) {
    await writers.untilMore(40)
    process.kill((await instance.postmaster())!, 'SIGKILL')
  }
  await writers.untilMore(10)
  expect(instance.server.process.exitCode).toBeNull()
  const acknowledged = await writers.finish()
  expect(await storedPosts(instance.client())).toEqual(acknowledged)
})

test('SIGTERM ends the server and its database in order within 10 s, and loses nothing [R17]', async () => {
  const instance = await startInstance()
  const writers = await startWriters(instance.client)
  for (let round = 0; round < rounds; round++) {
    await writers.untilMore(40)
    const { code, tookMs } = await instance.server.end('SIGTERM')
    expect(code).toBe(0)
    expect(tookMs).toBeLessThan(10_000)
    expect(await instance.postmaster()).toBeUndefined()
    expect(await instance.isOwned()).toBe(false)
    await instance.startAgain()
  }
  const acknowledged = await writers.finish()
  expect(await storedPosts(instance.client())).toEqual(acknowledged)
})
