import { expect, test } from 'vitest'
import { openBucket } from './bucket.ts'
import { complaintOf, makeTestFolder, startInstance } from './instance.ts'

async function startBucket() {
  const { s3, settings } = await openBucket()
  const instance = await startInstance(settings)
  const restart = async () => {
    await instance.server.end('SIGTERM')
    await instance.startAgain()
  }
  return { s3, settings, instance, restart }
}

test('an installation starts again with its own bucket, and another one does not start with it and changes nothing there [R23]', async () => {
  const { s3, settings, restart } = await startBucket()
  await restart()
  const before = [...s3.objects]
  expect(await complaintOf(settings, await makeTestFolder())).toMatch(
    /^The bucket zimmer belongs to another installation\. .* delete the object \.zimmer\/owner of the bucket first\.$/m,
  )
  expect([...s3.objects]).toEqual(before)
})

test('while the bucket does not answer, an installation with accounts starts, and an empty one says what it waits for [R15 R19]', async () => {
  const { s3, settings, instance, restart } = await startBucket()
  s3.state.faultOf = () => 'closes'
  await restart()
  expect((await fetch(`${instance.server.url}/health/ready`)).status).toBe(200)
  expect(await complaintOf(settings, await makeTestFolder())).toMatch(
    /^The bucket zimmer does not answer\. A start needs it until somebody has an account\.$/m,
  )
})
