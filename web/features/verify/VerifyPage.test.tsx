import { act, fireEvent, screen, within } from '@testing-library/react'
import { zipSync, strToU8 } from 'fflate'
import { expect, test, vi } from 'vitest'
import { getReceipt, getSealFingerprint } from '#contract/rooms/credit/endpoints.ts'
import { ana, aSealedStory } from '#contract/rooms/credit/testing.ts'
import { verify } from '#contract/rooms/credit/verify.ts'
import { queryKeyOf } from '#web/lib/api.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { watchSaving } from '#web/testing/saving.ts'
import { StorySeal } from './StorySeal.tsx'
import { VerifyPage } from './VerifyPage.tsx'

const server = startTestPage()
const { seal, receipt } = aSealedStory()
const [sealText, receiptText] = [JSON.stringify(seal), JSON.stringify(receipt)]
const file = (content: string | Uint8Array<ArrayBuffer>, name = 'seal.json') => new File([content], name)

const choose = (...files: File[]) =>
  fireEvent.change(screen.getByLabelText('Choose or drop a seal, a receipt, or both'), { target: { files } })
const verdict = (name: string | RegExp) => within(screen.getByRole('status')).findByRole('heading', { name })

test('a reader verifies a seal and a receipt on the device, and nothing is sent [CRED-05]', async () => {
  show(<VerifyPage />)
  choose(file(sealText), file(receiptText, 'receipt.json'))
  await verdict('Verified')
  expect(screen.getByText('Written by the owner of the receipt: passages 1, 3.')).toBeTruthy()
  expect(server.requests).toEqual([])
})

test('a reader verifies the seal that lies in a book [CRED-03 CRED-05]', async () => {
  show(<VerifyPage />)
  const book = zipSync({ mimetype: strToU8('x'), 'META-INF/zimmer-seal.json': strToU8(sealText) })
  choose(file(Uint8Array.from(book), 'story.epub'))
  expect(await verdict('Verified')).toBeTruthy()
  choose(file(Uint8Array.from(zipSync({ mimetype: strToU8('x') })), 'old.epub'))
  expect(await verdict('Not verified')).toBeTruthy()
})

test('a reader reads that a chosen file could not be read, and chooses the same file again [CRED-05]', async () => {
  show(<VerifyPage />)
  const gone = file(sealText)
  gone.arrayBuffer = () => Promise.reject(new DOMException('The file is gone.', 'NotFoundError'))
  choose(gone)
  await verdict('Not verified')
  expect(screen.getByText('A file could not be read.')).toBeTruthy()
  const field = screen.getByLabelText<HTMLInputElement>('Choose or drop a seal, a receipt, or both')
  const clear = vi.spyOn(field, 'value', 'set')
  choose(file(sealText))
  await verdict('Verified')
  // The field names the file of the verdict until it is pressed again.
  expect(clear).not.toHaveBeenCalled()
  fireEvent.click(field)
  expect(clear).toHaveBeenCalledExactlyOnceWith('')
})

test('a reader sees the first false passage, a withheld one, and a server that signed two histories [CRED-06 CRED-07 CRED-08]', async () => {
  show(<VerifyPage />)
  choose(file(sealText.replace('Nobody slept', 'Nobody wept')))
  await verdict('Not verified: passage 2 is false')
  const withheld = structuredClone(seal)
  Object.assign(withheld.passages[1]!, { salt: null, text: null })
  choose(file(JSON.stringify(withheld)))
  await verdict('Verified')
  expect(screen.getByText('Withheld: passage 2. The rest verifies.')).toBeTruthy()
  const other = aSealedStory({ passages: [{ author: ana, text: 'Another beginning.' }] })
  fireEvent.drop(screen.getByLabelText('Choose or drop a seal, a receipt, or both'), {
    dataTransfer: { files: [file(sealText), file(JSON.stringify(other.receipt))] },
  })
  await verdict('This server has signed two histories')
})

test('the page says what a seal proves and what it cannot prove, and offers a file that needs no server [CRED-05 CRED-11]', () => {
  show(<VerifyPage />)
  const listed = (name: string) =>
    within(screen.getByRole('region', { name }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
  expect(listed('What a seal proves').join(' ')).toMatch(/order.*same hand.*changed/)
  expect(listed('What it cannot prove').join(' ')).toMatch(/legal identity.*clock.*original/)
  expect(screen.getByText('Stories that are older than the seals have no proof.')).toBeTruthy()
  const link = screen.getByRole('link', { name: 'Save this check as a file' })
  expect([link.getAttribute('href'), link.getAttribute('download')]).toEqual([
    '/zimmer-verify.html',
    'zimmer-verify.html',
  ])
})

const roomId = seal.room

test('the page of a story shows the fingerprint of its seal, and a writer saves the receipt [CRED-03 CRED-04]', async () => {
  server.on(getSealFingerprint, { fingerprint: '1a2b 3c4d 5e6f 7a8b' })
  server.on(getReceipt, receipt)
  show(<StorySeal roomId={roomId} isWriter />)
  const region = await screen.findByRole('region', { name: 'Seal' })
  expect(region.textContent).toContain('Seal 1a2b 3c4d 5e6f 7a8b')
  const links = within(region)
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')])
  expect(links).toEqual([
    ['Save the seal', `/api/zimmers/${roomId}/seal`],
    ['Save your receipt', `/api/zimmers/${roomId}/receipt`],
    ['Verify a story', '/verify'],
  ])
})

test('a reader who wrote nothing is offered no receipt, and an older story says that it has no proof [CRED-04 CRED-11]', async () => {
  server.on(getSealFingerprint, { fingerprint: '1a2b 3c4d 5e6f 7a8b' })
  const { unmount } = show(<StorySeal roomId={roomId} isWriter={false} />)
  await screen.findByRole('link', { name: 'Save the seal' })
  expect(screen.queryByRole('link', { name: 'Save your receipt' })).toBeNull()
  unmount()
  server.on(getSealFingerprint, { fingerprint: null })
  show(<StorySeal roomId={roomId} isWriter />)
  await screen.findByText('This story has no proof: it is older than the seals of stories.')
  expect(screen.queryByRole('link')).toBeNull()
})

test.each([
  ['the seal nor the receipt', () => server.refuse(getSealFingerprint, 'PrivateRoom')],
  ['the receipt', () => server.on(getSealFingerprint, { fingerprint: '1a2b 3c4d 5e6f 7a8b' })],
])(
  'a writer saves the receipt of this device while the server gives not %s, and it verifies [CRED-01 CRED-04]',
  async (_what, answer) => {
    answer()
    server.refuse(getReceipt, 'PrivateRoom')
    const files = watchSaving()
    const { client } = show(<StorySeal roomId={roomId} isWriter />)
    act(() => void client.setQueryData(queryKeyOf(getReceipt, { params: { id: roomId } }), receipt))
    fireEvent.click(await screen.findByRole('button', { name: 'Save your receipt from this device' }))
    expect(screen.queryByRole('link', { name: 'Save your receipt' })).toBeNull()
    expect(verify([sealText, await files[0]!.text()])).toMatchObject({ outcome: 'verified', own: [1, 3] })
  },
)
