import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { show } from '#web/shell/testing.tsx'
import { ExportButton } from './ExportButton.tsx'
import { exportPdf } from './pdf/export-pdf.ts'

// The making of the file has tests of its own; here it takes as long as the test says.
vi.mock('./pdf/export-pdf.ts', () => ({ exportPdf: vi.fn<typeof exportPdf>() }))

const making = vi.mocked(exportPdf)
const days = ['2025-06-09', '2025-06-10'].map((entry_date) => ({
  entry_date,
  content: `Text of ${entry_date}`,
  updated_at: '2025-06-10T08:00:00.000Z',
}))
const downloaded: string[] = []
const file = new Blob(['A file'])

beforeEach(() => {
  downloaded.length = 0
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    downloaded.push(this.download)
  })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  making.mockReset()
})

const button = () => screen.findByRole('button', { name: 'Export to PDF' })
async function start() {
  show(<ExportButton entries={days} />)
  fireEvent.click(await button())
}

test('all days shown are exported into my-diary.pdf [DIARY-37 DIARY-38]', async () => {
  making.mockResolvedValue({ file, placeholders: 0 })
  await start()
  await waitFor(() => expect(downloaded).toEqual(['my-diary.pdf']))
  expect(making.mock.calls[0]![0]).toEqual(
    days.map(({ entry_date, content }) => ({ date: entry_date, content })),
  )
  expect(await button()).toBeTruthy()
  expect(screen.queryByText('Exported with gaps')).toBeNull()
})

test('characters without a letter are counted in a notice [DIARY-46]', async () => {
  making.mockResolvedValue({ file, placeholders: 7 })
  await start()
  expect(await screen.findByText(/^7 characters have no letter in our fonts/)).toBeTruthy()
  expect(downloaded).toEqual(['my-diary.pdf'])
})

test('a long export counts its days, and can be cancelled [DIARY-37]', async () => {
  making.mockImplementation(
    (_entries, { onProgress, signal }) =>
      new Promise((_, reject) => {
        onProgress(1, 2)
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      }),
  )
  await start()
  expect(await screen.findByText('1 of 2 entries')).toBeTruthy()
  expect(screen.getByRole<HTMLProgressElement>('progressbar').value).toBe(1)
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(await button()).toBeTruthy()
  expect(downloaded).toEqual([])
  expect(screen.queryByText('The diary could not be exported.')).toBeNull()
})

test('an export that fails is said, and can be tried again [DIARY-37]', async () => {
  making.mockRejectedValueOnce(new Error('No fonts'))
  await start()
  expect(await screen.findByText('The diary could not be exported.')).toBeTruthy()
  expect(downloaded).toEqual([])
  making.mockResolvedValue({ file, placeholders: 0 })
  fireEvent.click(await button())
  await waitFor(() => expect(downloaded).toEqual(['my-diary.pdf']))
})
