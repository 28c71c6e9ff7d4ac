import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Document } from '#contract/documents/document.ts'
import { createDocument, deleteDocument, getDocument, listDocuments } from '#contract/documents/endpoints.ts'
import { YourWritingPage } from '#web/features/own-posts/YourWritingPage.tsx'
import { fakeSources } from '#web/lib/live/testing.ts'
import { press, show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'

const server = startTestPage()
beforeEach(() => {
  fakeSources()
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true })
})

const document: Document = {
  id: '01900000-0000-7000-8000-000000000001',
  source: 'Ghost',
  title: 'The well',
  content: 'It was deep.\n\nNobody saw the end.',
  createdAt: '2019-06-10T08:15:00.000Z',
  addedAt: '2025-06-10T10:00:00.000Z',
}
const { content: _, ...fieldsOfList } = document
const listed = { ...fieldsOfList, wordCount: 1200 }
const other = {
  ...listed,
  id: document.id.replace(/1$/, '2'),
  title: 'A lamp',
  wordCount: 1,
  createdAt: null,
}

const open = (more = '') => show(<YourWritingPage />, { at: `/writing?list=documents${more}`, user: ana })
const rows = async () =>
  within(await screen.findByRole('list', { name: 'Documents' })).getAllByRole('listitem')

test('a person finds the imported documents with title, source, words and the time on this device, and reads one [OWN-07]', async () => {
  vi.stubEnv('TZ', 'Asia/Tokyo')
  onTestFinished(() => void vi.unstubAllEnvs())
  server.on(listDocuments, [listed, other])
  server.on(getDocument, document)
  open()
  expect((await rows()).map((row) => row.textContent)).toEqual([
    'The wellGhost, 1,200 words, written June 10, 2019, imported Jun 10, 2025, 7:00 PMDelete',
    'A lampGhost, 1 word, imported Jun 10, 2025, 7:00 PMDelete',
  ])
  fireEvent.click(screen.getByRole('link', { name: 'The well' }))
  const title = await screen.findByRole('heading', { name: 'The well' })
  expect(globalThis.document.activeElement).toBe(title)
  expect(screen.getByRole('article').textContent).toContain('Nobody saw the end.')
  expect(location.search).toBe(`?list=documents&document=${document.id}`)
  fireEvent.click(screen.getByRole('link', { name: 'All documents' }))
  expect(await rows()).toHaveLength(2)
})

test('a person deletes a document, and Undo brings it back as it was [OWN-07]', async () => {
  server.on(listDocuments, [listed, other])
  server.on(getDocument, document)
  server.on(deleteDocument, { ok: true })
  server.on(createDocument, document)
  open()
  await rows()
  press('Delete the document The well')
  await screen.findByText('Document deleted')
  expect(await rows()).toHaveLength(1)
  press('Undo')
  const { addedAt: __, ...fields } = document
  await waitFor(() => expect(server.inputs(createDocument)).toEqual([fields]))
})

test('a document that cannot be deleted stays, and the person reads so [OWN-07]', async () => {
  server.on(listDocuments, [listed])
  server.on(getDocument, document)
  server.refuse(deleteDocument, 'NotAllowed')
  open()
  await rows()
  press('Delete the document The well')
  await screen.findByText('The document could not be deleted. Please try again.')
  expect(await rows()).toHaveLength(1)
})

test('a person deletes a damaged document after a question, and cancels it first [OWN-07]', async () => {
  server.on(listDocuments, [listed, other])
  server.refuse(getDocument, 'DocumentDamaged')
  server.on(deleteDocument, { ok: true })
  open()
  await rows()
  const ask = async () => {
    press('Delete the document The well')
    return within(await screen.findByRole('alertdialog'))
  }
  fireEvent.click((await ask()).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(server.changes).toEqual([])
  const question = await ask()
  expect(
    question.getByText(/damaged and cannot be read\. Delete it\? It cannot be brought back\.$/),
  ).toBeTruthy()
  fireEvent.click(question.getByRole('button', { name: 'Delete' }))
  await screen.findByText('Document deleted')
  expect(await rows()).toHaveLength(1)
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('a person without documents reads what belongs here, and where texts are imported [OWN-07]', async () => {
  server.on(listDocuments, [])
  open()
  await screen.findByText(/^You have no documents\./)
  expect(screen.getByRole('link', { name: 'Import texts' }).getAttribute('href')).toBe(
    '/settings#part-your-words',
  )
})

test('a document that is gone says so, and leads back to the list [OWN-07]', async () => {
  server.refuse(getDocument, 'DocumentNotFound')
  open(`&document=${document.id}`)
  expect((await screen.findByRole('link', { name: 'All documents' })).getAttribute('href')).toBe(
    '/writing?list=documents',
  )
})
