import 'fake-indexeddb/auto'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { getReceipt } from '#contract/rooms/credit/endpoints.ts'
import type { Receipt } from '#contract/rooms/credit/seal.ts'
import { ana, aSealedStory } from '#contract/rooms/credit/testing.ts'
import { verify } from '#contract/rooms/credit/verify.ts'
import { keptQueries } from '#web/kept-queries.ts'
import { queryKeyOf } from '#web/lib/api.ts'
import { readAnswer } from '#web/lib/device/answers.ts'
import { reopenDatabase } from '#web/lib/device/database.ts'
import { startMirror, stopMirror } from '#web/lib/device/mirror.ts'
import { removeLocalCopies } from '#web/lib/local-copies.ts'
import { createQueryClient } from '#web/lib/query-client.ts'
import { writeKey } from '#web/lib/session-keys.ts'
import { startWithEmptyDevice } from '#web/lib/testing.ts'
import { startTestPage } from '#web/testing/page.tsx'
import { aPassage } from './testing.tsx'
import { useKeptReceipt } from './use-kept-receipt.ts'

const server = startTestPage()
const { seal, receipt: whole } = aSealedStory()
const id = seal.room
/** The receipt of Ana while the second passage was the newest. */
const early: Receipt = { ...aSealedStory({ headAt: 2 }).receipt, passages: whole.passages.slice(0, 1) }

startWithEmptyDevice()
beforeEach(() => {
  writeKey('userId', ana.id)
  server.on(getReceipt, early)
})

/** The page of a room, of which the device keeps what it reads. */
function openRoom() {
  const client = createQueryClient()
  startMirror(client, ana.id, keptQueries)
  onTestFinished(() => stopMirror(ana.id))
  const { result } = renderHook(() => useKeptReceipt(id), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })
  const { add, sign } = result.current
  return {
    send: (place: number) => {
      const { position, time, text, salt } = whole.passages[place]!
      add({ ...aPassage({ position, createdAt: time, content: text! }), salt: salt! })
    },
    sign: ({ head }: Receipt) => sign({ roomId: id, ...head }),
  }
}

const onDevice = async () =>
  (await readAnswer(ana.id, queryKeyOf(getReceipt, { params: { id } })))?.answer as Receipt | undefined
async function untilKept(receipt: Receipt) {
  await expect.poll(onDevice, { timeout: 5000 }).toEqual(receipt)
}

test('the device keeps the receipt from the first signed passage on, adds the next one by its salt and head, and it verifies [CRED-01]', async () => {
  const page = openRoom()
  page.send(0)
  await page.sign(early)
  await untilKept(early)
  page.send(1)
  await page.sign(whole)
  await untilKept(whole)
  expect(server.calls(getReceipt)).toHaveLength(1)
  const kept = await onDevice()
  expect(verify([JSON.stringify(seal), JSON.stringify(kept)])).toMatchObject({
    outcome: 'verified',
    own: [1, 3],
  })
})

test('a head before the own passage, and a passage without a head, keep nothing new [CRED-01]', async () => {
  const page = openRoom()
  await page.sign(early)
  expect(server.calls(getReceipt)).toEqual([])
  page.send(0)
  await page.sign(early)
  await untilKept(early)
  page.send(1)
  await page.sign(early)
  await untilKept(early)
  await page.sign(whole)
  await untilKept(whole)
})

test('a page whose request for the receipt fails tries again with the next head [CRED-01]', async () => {
  const page = openRoom()
  server.refuse(getReceipt, 'NoProof')
  page.send(0)
  await page.sign(early)
  expect(await onDevice()).toBeUndefined()
  server.on(getReceipt, early)
  await page.sign(early)
  await untilKept(early)
})

test('after the log-out the device keeps no receipt [CRED-01 OWN-21]', async () => {
  const page = openRoom()
  page.send(0)
  await page.sign(early)
  await untilKept(early)
  stopMirror(ana.id)
  await removeLocalCopies(ana.id)
  await reopenDatabase()
  expect(await onDevice()).toBeUndefined()
})
