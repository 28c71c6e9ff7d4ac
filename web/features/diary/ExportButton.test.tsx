import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { anEntry } from '#web/testing/diary.ts'
import { exportPdf } from '#web/features/saving/pdf/export-pdf.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { ExportButton } from './ExportButton.tsx'

// `make-pdf.test.ts` tests the file. Here each test decides when the export ends.
vi.mock('#web/features/saving/pdf/export-pdf.ts', () => ({ exportPdf: vi.fn<typeof exportPdf>() }))

startTestPage()

const making = vi.mocked(exportPdf)
const days = [anEntry('2025-06-09', 'Monday'), anEntry('2025-06-10', 'Tuesday')]
const downloaded: string[] = []
const file = new Blob(['A file'])

beforeEach(() => {
  downloaded.length = 0
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    downloaded.push(this.download)
  })
})
afterEach(() => {
  making.mockReset()
})

const button = () => screen.findByRole('button', { name: 'Export to PDF' })
async function start() {
  show(<ExportButton entries={days} />)
  fireEvent.click(await button())
}

test('a writer exports all shown days into my-diary.pdf [DIARY-37 DIARY-38]', async () => {
  making.mockResolvedValue({ file, placeholders: 0 })
  await start()
  await waitFor(() => expect(downloaded).toEqual(['my-diary.pdf']))
  expect(making.mock.calls[0]!.slice(0, 2)).toEqual([
    'My Diary',
    [
      { heading: 'Monday, June 9th, 2025', content: 'Monday' },
      { heading: 'Tuesday, June 10th, 2025', content: 'Tuesday' },
    ],
  ])
  expect(await button()).toBeTruthy()
  expect(screen.queryByText('Exported with gaps')).toBeNull()
})

test('a writer reads how many characters the fonts of the file lack [DIARY-46]', async () => {
  making.mockResolvedValue({ file, placeholders: 7 })
  await start()
  expect(await screen.findByText(/^7 characters have no letter in our fonts/)).toBeTruthy()
  expect(downloaded).toEqual(['my-diary.pdf'])
})

test('a writer sees how many days of a long export are done, and cancels it without a file [DIARY-37]', async () => {
  making.mockImplementation(
    (_title, _parts, { onProgress, signal }) =>
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

test('a writer whose export fails reads so, and exports by the next try [DIARY-37]', async () => {
  making.mockRejectedValueOnce(new Error('No fonts'))
  await start()
  expect(await screen.findByText('The diary could not be exported.')).toBeTruthy()
  expect(downloaded).toEqual([])
  making.mockResolvedValue({ file, placeholders: 0 })
  fireEvent.click(await button())
  await waitFor(() => expect(downloaded).toEqual(['my-diary.pdf']))
})
