import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { getInstance, getInstancePage, type PublicInstance } from '#contract/instance/endpoints.ts'
import { AboutPage } from '#web/features/about/AboutPage.tsx'
import { OnboardingPage } from '#web/features/onboarding/OnboardingPage.tsx'
import { Footer } from '#web/shell/Footer.tsx'
import { show, startTestPage } from '#web/testing/page.tsx'
import { Agreement } from './Agreement.tsx'
import { PrivacyPage, RulesPage } from './InstanceTextPage.tsx'
import { blocksOf } from './TextWithHeadings.tsx'

const server = startTestPage()
const mill: PublicInstance = {
  name: 'The Mill',
  description: 'Writers by the river.',
  welcome: 'Come in.\nSit down.',
  imprint: 'The Mill, 1 River Lane',
  pages: ['terms', 'rules'],
}

test('the footer leads to the texts that the instance has, and to no others [INST-01]', async () => {
  show(<Footer />, { settings: { instance: { pages: ['terms', 'rules'], off: [] } } })
  const links = within(await screen.findByRole('navigation', { name: 'About this instance' }))
  expect(links.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Terms', '/terms'],
    ['Rules', '/rules'],
  ])
})

test('the rules are shown as text with headings, and HTML in them is text [INST-01 S38]', async () => {
  server.on(getInstancePage, { content: '# Be kind\n\nTo <b>everybody</b>.\n## Always' })
  show(<RulesPage />, { at: '/rules', user: null })
  expect(await screen.findByRole('heading', { level: 2, name: 'Be kind' })).toBeTruthy()
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Rules')
  expect(screen.getByRole('heading', { level: 3, name: 'Always' })).toBeTruthy()
  expect(screen.getByText('To <b>everybody</b>.')).toBeTruthy()
  expect(document.querySelector('b')).toBeNull()
})

test.each([
  ['one\ntwo\n\nthree', ['p one\ntwo', 'p three']],
  ['# A\n## B\ntext\n#no heading\n# ', ['h2 A', 'h3 B', 'p text\n#no heading\n# ']],
  [' \n\t\n', []],
  ['### deeper', ['p ### deeper']],
])('%j has the parts %j [INST-01]', (text, parts) => {
  expect(blocksOf(text).map(({ Tag, text }) => `${Tag} ${text}`)).toEqual(parts)
})

test('the page About shows the name, the description and the imprint, and asks nothing when nothing is set [INST-01]', async () => {
  const { unmount } = show(<AboutPage />)
  expect(screen.queryByText('Imprint')).toBeNull()
  expect(server.calls(getInstance)).toEqual([])
  unmount()
  server.on(getInstance, mill)
  show(<AboutPage />, { settings: { instance: { pages: [], off: [] } } })
  expect(await screen.findByRole('heading', { name: 'The Mill' })).toBeTruthy()
  expect(screen.getByText('Writers by the river.')).toBeTruthy()
  expect(screen.getByRole('region', { name: 'Imprint' }).textContent).toContain('1 River Lane')
})

test('people who come read the name and the welcome above the first page of the onboarding [INST-01]', async () => {
  server.on(getInstance, mill)
  show(<OnboardingPage />, { user: null, settings: { instance: { pages: [], off: [] } } })
  expect(await screen.findByText('The Mill')).toBeTruthy()
  await waitFor(() => expect(screen.getByText(/^Come in\./).textContent).toBe('Come in.\nSit down.'))
})

test.each([
  [['terms'], 'By signing up you agree to the Terms.'],
  [['terms', 'rules'], 'By signing up you agree to the Terms and the Rules.'],
  [
    ['rules', 'privacy'],
    'By signing up you agree to the Rules. Read in Privacy what is done with your texts.',
  ],
  [['privacy'], 'Read in Privacy what is done with your texts.'],
] as const)('with %j a person who signs up reads: %s [INST-01]', (pages, sentence) => {
  const { container } = show(<Agreement pages={pages} />)
  expect(container.textContent.trim()).toBe(sentence)
  // The form stays open in its tab.
  for (const link of screen.getAllByRole('link')) expect(link.getAttribute('target')).toBe('_blank')
})

test('the page about privacy shows the text of the admins, and below it what the program says [INST-07]', async () => {
  server.on(getInstancePage, {
    content: '# Ours\n\nWe keep nothing.',
    textUse: ['Everybody can read.', 'Not trained.'],
  })
  show(<PrivacyPage />, { at: '/privacy', user: null })
  const use = within(await screen.findByRole('region', { name: 'What is done with texts' }))
  expect(use.getByText('Everybody can read.')).toBeTruthy()
  expect(use.getByText('Not trained.')).toBeTruthy()
  expect(screen.getAllByRole('heading').map((heading) => heading.textContent)).toEqual([
    'Privacy',
    'Ours',
    'What is done with texts',
  ])
})

test('without a text of the admins the page about privacy is not empty, and another page is [INST-07]', async () => {
  server.on(getInstancePage, { content: '', textUse: ['Everybody can read.'] })
  const { unmount } = show(<PrivacyPage />, { at: '/privacy', user: null })
  expect(await screen.findByText('Everybody can read.')).toBeTruthy()
  expect(screen.queryByText('This page has no text')).toBeNull()
  unmount()
  server.on(getInstancePage, { content: '' })
  show(<RulesPage />, { at: '/rules', user: null })
  expect(await screen.findByText('This page has no text')).toBeTruthy()
})

test('the page About leads to what is done with texts [INST-07]', () => {
  show(<AboutPage />)
  expect(screen.getByRole('link', { name: 'What is done with texts' }).getAttribute('href')).toBe('/privacy')
})
