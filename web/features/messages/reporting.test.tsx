import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { reportButtons, sendReport } from '#web/features/abuse-reports/testing.tsx'
import { aMessage, ben, ofAna, startMessagesPage } from './testing.tsx'

const { server, openBen } = startMessagesPage()

test('a person reports a received message, and own messages have no such button [PPL-06]', async () => {
  const received = aMessage()
  openBen({ messages: [ofAna(), received, ofAna()] })
  await screen.findByText(received.content)
  expect(reportButtons()).toHaveLength(1)
  fireEvent.click(reportButtons()[0]!)
  expect(await sendReport(server)).toEqual({ kind: 'message', targetId: received.id })
})

test('a person reports a friend in the menu of the conversation [PPL-06]', async () => {
  openBen()
  fireEvent.keyDown(await screen.findByRole('button', { name: 'More about Ben Okafor' }), { key: 'Enter' })
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Report' }))
  expect(await sendReport(server)).toEqual({ kind: 'person', targetId: ben.id })
})
