import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { SavedText } from '#contract/saving/saved-text.ts'
import { errors } from '#contract/errors.ts'
import { RequestError } from '#web/lib/request.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { saveAs, watchSaving } from '#web/testing/saving.ts'
import type { SaveAsProps, SavingTask } from './formats.ts'
import { exportPdf } from './pdf/export-pdf.ts'
import { SaveAs } from './SaveAs.tsx'

// `kinds.test.ts` and `pdf/saved-pdf.test.ts` test the files. Here each test decides when a PDF is ready.
vi.mock('./pdf/export-pdf.ts', () => ({ exportPdf: vi.fn<typeof exportPdf>() }))

startTestPage()

const text: SavedText = {
  fileTitle: 'The/train',
  title: 'The train',
  introduction: '',
  note: 'Ana Lima · June 10, 2025',
  parts: [{ heading: null, content: 'It left at ten.' }],
  contributors: [],
}

const making = vi.mocked(exportPdf)
let saved: ReturnType<typeof watchSaving>
beforeEach(() => {
  making.mockReset()
  saved = watchSaving()
})

const button = () => screen.findByRole('button', { name: 'Save as…' })
const names = () => saved.map(({ name }) => name)

/** Opens the menu, whose code is fetched by this press. */
async function open(more: Partial<SaveAsProps> = {}) {
  const shown = show(
    <SaveAs what="the post" formats={['pdf', 'html', 'md', 'txt']} read={() => text} {...more} />,
  )
  fireEvent.click(await button())
  await screen.findByRole('menu')
  return shown
}
const choose = (name: string) => fireEvent.click(screen.getByRole('menuitem', { name }))

test.each([
  ['HTML', 'html', 'text/html; charset=utf-8', /<h1 dir="auto">The train<\/h1>/],
  ['Markdown', 'md', 'text/markdown; charset=utf-8', /^# The train\n/],
  ['Plain text', 'txt', 'text/plain; charset=utf-8', /^The train\n/],
])(
  'a reader saves a text as %s under its title [OWN-08 OWN-24]',
  async (format, extension, type, content) => {
    await open()
    choose(format)
    await waitFor(() => expect(names()).toEqual([`The train.${extension}`]))
    expect(saved[0]!.type).toBe(type)
    expect(await saved[0]!.text()).toMatch(content)
  },
)

test('a reader saves a text as PDF, and reads how many characters its fonts lack [OWN-08 OWN-24]', async () => {
  making.mockResolvedValue({ file: new Blob(['%PDF']), placeholders: 3 })
  await open()
  choose('PDF')
  await waitFor(() => expect(names()).toEqual(['The train.pdf']))
  expect(making.mock.calls[0]!.slice(0, 2)).toEqual([
    'The train',
    [{ heading: 'Ana Lima · June 10, 2025', content: 'It left at ten.' }],
  ])
  expect(await screen.findByText(/^3 characters have no letter in our fonts/)).toBeTruthy()
})

test('a reader opens the menu by one press, the focus goes into it, and Escape gives it back to the button [OWN-08 OWN-24]', async () => {
  show(<SaveAs what="the post" formats={['pdf', 'txt']} read={() => text} heading={() => 'June 2025'} />)
  const first = await button()
  expect(first.getAttribute('aria-haspopup')).toBe('menu')
  first.focus()
  fireEvent.click(first)
  const menu = await screen.findByRole('menu')
  await waitFor(() => expect(menu.contains(document.activeElement)).toBe(true))
  expect(menu.textContent).toBe('June 2025PDFPlain text')
  fireEvent.keyDown(menu, { key: 'Escape' })
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Save as…' })))
  expect(screen.queryByRole('menu')).toBeNull()
  expect(saved).toEqual([])
})

test('the server makes the file of a format that has an address, and names it [OWN-08]', async () => {
  const read = vi.fn<() => SavedText>()
  await open({ formats: ['epub', 'txt'], addresses: { epub: '/api/zimmers/1/story.epub' }, read })
  choose('EPUB')
  expect(saved).toMatchObject([{ name: '', address: '/api/zimmers/1/story.epub' }])
  expect(read).not.toHaveBeenCalled()
})

const tooMany = new RequestError(429, '', { code: 'TooManyRequests', error: errors.TooManyRequests.error })

test.each([
  ['the network fails', new TypeError('Failed to fetch'), 'Check the connection and try again.'],
  ['the server refuses', tooMany, errors.TooManyRequests.error],
])(
  'a person reads why nothing was saved when %s, and saves by the next try [OWN-08 OWN-24]',
  async (_what, error, sentence) => {
    const read = vi.fn<() => Promise<SavedText>>().mockRejectedValueOnce(error).mockResolvedValue(text)
    await open({ read })
    choose('Markdown')
    expect(await screen.findByText('The post could not be saved')).toBeTruthy()
    expect(screen.getByText(sentence)).toBeTruthy()
    expect(saved).toEqual([])
    await saveAs('Markdown')
    await waitFor(() => expect(names()).toEqual(['The train.md']))
  },
)

test('a person sees how much of a long text is read, and cancels: no file comes, also when the text was read [OWN-24]', async () => {
  const end = Promise.withResolvers<SavedText>()
  await open({
    read: ({ onProgress }: SavingTask) => {
      onProgress('500 messages are read.')
      return end.promise
    },
  })
  choose('Plain text')
  const dialog = await screen.findByRole('dialog', { name: 'Saving the post' })
  expect(dialog.textContent).toContain('500 messages are read.')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect((await button()).getAttribute('aria-busy')).toBeNull()
  end.resolve(text)
  await new Promise((resolve) => setTimeout(resolve))
  expect(saved).toEqual([])
  expect(screen.queryByText('The post could not be saved')).toBeNull()
})

test('a person who leaves the page gets no file afterwards [OWN-08 OWN-24]', async () => {
  const end = Promise.withResolvers<SavedText>()
  const signals: AbortSignal[] = []
  const { unmount } = await open({
    read: ({ signal }) => {
      signals.push(signal)
      return end.promise
    },
  })
  choose('Plain text')
  unmount()
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  end.resolve(text)
  await new Promise((resolve) => setTimeout(resolve))
  expect(saved).toEqual([])
})
