import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { getConfig } from '#contract/app/endpoints.ts'
import { Announcements } from '#web/shell/Announcements.tsx'
import { Footer } from '#web/shell/Footer.tsx'
import { config, show, startTestPage } from '#web/testing/page.tsx'
import { AnnouncementFields } from './AnnouncementFields.tsx'

const server = startTestPage()
const friday = { text: 'We meet on <b>Friday</b>.', link: '/rules', endsAt: '2025-06-20T12:00:00.000Z' }
const settingsWith = (announcement = friday) => ({ instance: { pages: [], off: [], announcement } })
const bar = () => screen.queryByRole('region', { name: 'Announcement' })

test('an announcement stands above the page with its link, as text, until it is closed in this browser [INST-03 S38]', async () => {
  const page = show(<Announcements />, { settings: settingsWith() })
  expect(await screen.findByText(/We meet on <b>Friday<\/b>\./)).toBeTruthy()
  expect(document.querySelector('b')).toBeNull()
  expect(screen.getByRole('link', { name: 'Read more' }).getAttribute('href')).toBe('/rules')
  fireEvent.click(screen.getByRole('button', { name: 'Close the announcement' }))
  expect(bar()).toBeNull()
  page.unmount()
  // After a reload, and with another end.
  const again = show(<Announcements />, {
    settings: settingsWith({ ...friday, endsAt: '2025-06-21T12:00:00.000Z' }),
  })
  await act(async () => {})
  expect(bar()).toBeNull()
  again.unmount()
  show(<Announcements />, { settings: settingsWith({ ...friday, text: 'We meet on Monday.' }) })
  expect(await screen.findByText(/We meet on Monday\./)).toBeTruthy()
})

test('after the announcement is closed the focus is on the page below it [INST-03 S38]', async () => {
  show(
    <>
      <Announcements />
      <main id="main" tabIndex={-1} />
    </>,
    { settings: settingsWith({ ...friday, text: 'We meet at eight.' }) },
  )
  const button = await screen.findByRole('button', { name: 'Close the announcement' })
  button.focus()
  fireEvent.click(button)
  expect(document.activeElement).toBe(screen.getByRole('main'))
})

test('without an announcement nothing is shown [INST-03]', async () => {
  show(<Announcements />, { settings: { instance: { pages: ['terms'], off: [] } } })
  await act(async () => {})
  expect(bar()).toBeNull()
  expect(screen.queryByRole('button')).toBeNull()
})

test('an open page has a new announcement within a minute, and none after its end [INST-03]', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let instance: object = settingsWith().instance
  server.on(getConfig, () => ({ ...config, instance }) as typeof config)
  show(
    <>
      <Announcements />
      <Footer />
    </>,
    { settings: { instance: { pages: ['terms'], off: [] } } },
  )
  await screen.findByRole('link', { name: 'Terms' })
  expect(bar()).toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  await waitFor(() => expect(bar()).not.toBeNull())
  instance = { pages: ['terms'], off: [] }
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  await waitFor(() => expect(bar()).toBeNull())
})

test('an admin writes an announcement, whose end is a week ahead at first, and removes it [INST-03]', () => {
  const onChange = vi.fn<(announcement: unknown) => void>()
  const { rerender } = show(<AnnouncementFields announcement={null} error={undefined} onChange={onChange} />)
  expect(screen.queryByLabelText('End')).toBeNull()
  fireEvent.change(screen.getByLabelText('Text of the announcement'), { target: { value: 'Hello' } })
  const [written] = onChange.mock.lastCall as [typeof friday]
  expect(written).toMatchObject({ text: 'Hello', link: null })
  const days = (Date.parse(written.endsAt) - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(7)

  rerender(<AnnouncementFields announcement={friday} error={undefined} onChange={onChange} />)
  const end = screen.getByLabelText<HTMLInputElement>('End')
  expect(new Date(end.value).toISOString()).toBe(friday.endsAt)
  fireEvent.change(end, { target: { value: '2025-06-22T10:30' } })
  expect(onChange.mock.lastCall).toEqual([{ ...friday, endsAt: new Date('2025-06-22T10:30').toISOString() }])
  fireEvent.change(screen.getByLabelText('Link'), { target: { value: '' } })
  expect(onChange.mock.lastCall).toEqual([{ ...friday, link: null }])
  fireEvent.click(screen.getByRole('button', { name: 'Remove the announcement' }))
  expect(onChange.mock.lastCall).toEqual([null])
})
