import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { login } from '#contract/account/endpoints.ts'
import { uploadIssue } from '#contract/magazine/endpoints.ts'
import { filesOf } from '#server/testing/backup-places.ts'
import { s3Place } from '#server/testing/upload-places.ts'
import { aPdf, pdfText } from '#server/testing/uploads.ts'
import { administrator } from '../scripts/testing/running-server.ts'
import { openBucket } from './bucket.ts'
import { startZimmer } from './command-line.ts'
import { complaintOf, makeTestFolder, startInstance } from './instance.ts'
import { sendFile } from './send-file.ts'

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

test('an operator whose copy of the uploads is killed at any of its calls has only whole copies, and all of them after the next run, in both directions [R19]', async () => {
  const { s3, settings } = await openBucket()
  const instance = await startInstance()
  const folder = join(instance.dataDir, 'uploads')
  const inBucket = s3Place(s3).files
  const admin = instance.client()
  await admin.does(login, { input: administrator })
  for (const line of ['A long night.', 'A longer night.'])
    expect(
      (await sendFile(admin, uploadIssue, aPdf(`${pdfText}${line.repeat(50_000)}\n%%EOF\n`))).status,
    ).toBe(201)
  const uploaded = await filesOf(folder)
  expect(Object.keys(uploaded)).toHaveLength(2)

  /** Copies in runs, of which the first is killed at its first call of the service, the second at its second, and so on. */
  const copy = async (direction: string, copies: () => Promise<Record<string, string>>) => {
    const counts: number[] = []
    for (let isKilled = true, nth = 1; isKilled; nth++) {
      const command = startZimmer(instance.dataDir, ['uploads', direction], settings)
      const ended = once(command, 'close')
      let calls = 0
      s3.state.faultOf = () => {
        if (++calls === nth) command.kill('SIGKILL')
        return undefined
      }
      const [code] = (await ended) as [number | null]
      isKilled = code === null
      const found = await copies()
      expect(uploaded).toMatchObject(found)
      counts.push(Object.keys(found).length)
    }
    return counts
  }
  expect(await copy('to-s3', inBucket)).toEqual(expect.arrayContaining([0, 1, 2]))
  await rm(join(folder, 'magazine'), { recursive: true })
  const whole = async () =>
    Object.fromEntries(
      Object.entries(await filesOf(folder)).filter(([name]) => !name.startsWith('arriving/')),
    )
  expect(await copy('to-folder', whole)).toEqual(expect.arrayContaining([0, 1, 2]))
  expect([await whole(), await inBucket()]).toEqual([uploaded, uploaded])
  await instance.server.end('SIGTERM')
  await instance.startAgain()
  expect(await readdir(join(folder, 'arriving'))).toEqual([])
})
