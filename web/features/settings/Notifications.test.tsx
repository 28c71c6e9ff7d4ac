import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { getAwayNotificationChoices } from '#contract/away-notifications/endpoints.ts'
import { someChoices } from '#web/features/away-notifications/testing.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { Notifications } from './Notifications.tsx'

const server = startTestPage()

test.each([
  [true, ['On this device', 'By mail', 'What you are told of', 'When'], /else by a push, else by a mail/],
  [false, ['On this device', 'What you are told of', 'When'], /else by a push\. The bell/],
])(
  'a person finds all about notifications in one part of the settings; mails are sent: %s [REACH-01 REACH-04 REACH-07]',
  async (sendsMail, titles, telling) => {
    server.on(getAwayNotificationChoices, someChoices)
    show(<Notifications />, { user: ana, settings: sendsMail ? { sendsMail } : {} })
    const part = within(screen.getByRole('region', { name: 'Notifications' }))
    await part.findByRole('heading', { name: 'When' })
    expect(part.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual(titles)
    expect(part.getByText(telling)).toBeTruthy()
  },
)
