import 'fake-indexeddb/auto'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { User } from '#contract/account/user.ts'
import type { Draft } from '#contract/drafts/draft.ts'
import { getDraft, saveDraft } from '#contract/drafts/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { button, field, press, show, startTestPage, type } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { DayAndTimeFields } from './PublishTime.tsx'
import { usePublishTime } from './use-publish-time.ts'
import { WritePage } from './WritePage.tsx'

const server = startTestPage()
const draft: Draft = {
  id: '01900000-0000-7000-8000-000000000001',
  content: 'The moon\nis late',
  authorName: null,
  postType: 'premium',
  form: null,
  category: null,
  tags: [],
  postId: null,
  createdAt: '2025-06-10T10:00:00.000Z',
  updatedAt: '2025-06-10T10:00:00.000Z',
}
beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2025, 5, 10, 12, 20) })
  server.on(getDraft, draft)
  server.on(saveDraft, ({ input }) => ({ ...draft, ...(input as Partial<Draft>) }))
})

async function openStep(user: User | null = ana, settings = {}) {
  const at = user === null ? '/write' : `/write/${draft.id}`
  show(<WritePage id={user === null ? undefined : draft.id} />, { at, user, settings })
  const text = screen.getByLabelText<HTMLTextAreaElement>('Your text')
  await waitFor(() => expect(text.readOnly).toBe(false))
  if (user === null) fireEvent.change(text, { target: { value: 'A line' } })
  press('Publish…')
  const step = within(await screen.findByRole('dialog', { name: 'Publish' }))
  return { step, later: () => fireEvent.click(step.getByRole('radio', { name: 'Publish on …' })) }
}

test('a person schedules a premium post, and lands on the list of scheduled posts [LOOP-11]', async () => {
  server.on(submitPost, { id: draft.id, status: 'scheduled', createdAt: draft.createdAt })
  const { step, later } = await openStep()
  expect(step.getByRole<HTMLInputElement>('radio', { name: 'Now' }).checked).toBe(true)
  expect(step.queryByLabelText('Day')).toBeNull()
  later()
  // The next full hour that is at least an hour away.
  expect([field('Day').value, field('Time').value]).toEqual(['2025-06-10', '14:00'])
  expect(step.getByText(/^Times are in [A-Z][a-zA-Z ]+\./)).toBeTruthy()
  type('Day', '2025-06-12')
  type('Time', '09:30')
  press('Schedule')
  await waitFor(() => expect(location.pathname + location.search).toBe('/writing?list=scheduled'))
  expect(await screen.findByText('Scheduled')).toBeTruthy()
  expect(server.inputs(submitPost)).toEqual([
    {
      content: 'The moon\nis late',
      authorName: 'Ana Lima',
      type: 'premium',
      draftId: draft.id,
      draftBase: draft.updatedAt,
      publishAt: new Date(2025, 5, 12, 9, 30).toISOString(),
    },
  ])
})

test('a person reads why a time cannot be taken, before anything is sent [LOOP-11]', async () => {
  const { later } = await openStep()
  later()
  for (const [day, time, where, why] of [
    ['2025-06-10', '12:20', 'Time', 'Please choose a time that is at least a minute ahead.'],
    ['2024-06-12', '09:00', 'Day', 'Please choose a time that is at least a minute ahead.'],
    ['2026-06-10', '12:21', 'Time', 'Please choose a time within a year.'],
    ['2026-06-11', '12:21', 'Day', 'Please choose a time within a year.'],
    ['', '12:21', 'Day', 'Please choose a day.'],
    ['2025-06-12', '', 'Time', 'Please choose a time.'],
  ] as const) {
    type('Day', day)
    type('Time', time)
    expect(await screen.findByText(why)).toBeTruthy()
    expect(field(where).getAttribute('aria-describedby')).toBe(screen.getByText(why).id)
    expect(field(where === 'Day' ? 'Time' : 'Day').getAttribute('aria-invalid')).not.toBe('true')
    expect(button('Schedule').disabled).toBe(true)
  }
  type('Day', '2026-06-10')
  type('Time', '12:19')
  await waitFor(() => expect(button('Schedule').disabled).toBe(false))
})

test('a refused time is said at the field, and what was chosen stays [LOOP-11]', async () => {
  const error = 'You have 100 scheduled posts.'
  server.refuse(submitPost, 'ScheduledPostsFull', { fields: { publishAt: error } })
  const { later } = await openStep()
  later()
  type('Day', '2025-06-12')
  press('Schedule')
  expect(await screen.findByText(error)).toBeTruthy()
  expect(field('Time').getAttribute('aria-describedby')).toBe(screen.getByText(error).id)
  expect([field('Day').value, field('Time').value]).toEqual(['2025-06-12', '14:00'])
})

test('only a premium post of a person who may publish it offers a time, and none is sent with another post [LOOP-11]', async () => {
  server.on(submitPost, { id: draft.id, status: 'pending', createdAt: draft.createdAt })
  const { step, later } = await openStep()
  later()
  fireEvent.click(step.getByRole('radio', { name: /^Standard/ }))
  expect(step.queryByRole('radio', { name: 'Publish on …' })).toBeNull()
  press('Submit')
  await waitFor(() => expect(location.search).toBe('?list=review'))
  expect(server.inputs(submitPost)[0]).not.toHaveProperty('publishAt')
})

test.each([
  ['a visitor', null, {}],
  ['a person whose posts are reviewed first', ana, { publishesPremium: false }],
] as const)('%s is offered no time [LOOP-11]', async (_who, user, settings) => {
  const { step } = await openStep(user, settings)
  fireEvent.click(step.getByRole('radio', { name: /^Premium/ }))
  expect(step.getByRole<HTMLInputElement>('radio', { name: /^Premium/ }).checked).toBe(true)
  expect(step.queryByRole('radio', { name: 'Publish on …' })).toBeNull()
})

test('a person reads under which day of the feed the post stands, where that is another one [LOOP-11]', async () => {
  const zone = new Date().getTimezoneOffset() > -240 ? 'Pacific/Kiritimati' : 'Pacific/Pago_Pago'
  const { step, later } = await openStep(ana, { timeZone: zone })
  later()
  type('Time', zone === 'Pacific/Kiritimati' ? '23:00' : '14:00')
  expect(
    await step.findByText(/The feed goes by Pacific\/\w+( \w+)?: there it stands under June (9|11), 2025\./),
  ).toBeTruthy()
})

function inBerlin() {
  vi.stubEnv('TZ', 'Europe/Berlin')
  onTestFinished(() => void vi.unstubAllEnvs())
}

test('a person reads that a time is missing on the day on which clocks go forward [LOOP-11]', () => {
  inBerlin()
  const Fields = () => <DayAndTimeFields time={usePublishTime()} refusal={undefined} />
  show(<Fields />, { user: ana })
  const why = 'This time does not exist on that day.'
  type('Day', '2026-03-29')
  const missing = ['01:59', '02:30', '03:00'].filter((time) => {
    type('Time', time)
    return screen.queryByText(why) !== null
  })
  expect(missing).toEqual(['02:30'])
})

// The clocks of Berlin go back from 3 to 2, so that 2:30 comes twice.
test.each(['2025-10-26T00:30:00.000Z', '2025-10-26T01:30:00.000Z'])(
  'a post that is scheduled for %s stays there while its day and time are not changed [LOOP-11]',
  async (publishAt) => {
    inBerlin()
    const Fields = () => {
      const time = usePublishTime(publishAt)
      return (
        <>
          <DayAndTimeFields time={time} refusal={undefined} />
          <p data-testid="instant">{time.publishAt}</p>
        </>
      )
    }
    show(<Fields />, { user: ana })
    const instant = () => screen.getByTestId('instant').textContent
    expect([field('Day').value, field('Time').value]).toEqual(['2025-10-26', '02:30'])
    expect(instant()).toBe(publishAt)
    type('Time', '02:40')
    type('Time', '02:30')
    expect(instant()).toBe(publishAt)
    type('Time', '04:00')
    expect(instant()).toBe('2025-10-26T03:00:00.000Z')
  },
)
