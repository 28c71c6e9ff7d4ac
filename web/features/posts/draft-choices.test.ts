import { expect, test } from 'vitest'
import { personKey } from '#web/lib/storage.ts'
import { startTestPage } from '#web/testing/page.tsx'
import { choicesHere, currentDraft, type PostChoices } from './draft-choices.ts'

startTestPage()

const owner = 'k7q2m4xp3d'
const chosen: PostChoices = {
  authorName: 'A. Lima',
  postType: 'premium',
  form: 'verse',
  category: 'Poetry',
  tags: ['night'],
}
const store = (prefix: string, value: unknown) =>
  localStorage.setItem(personKey(prefix, owner), JSON.stringify(value))

test('a person gets back what they chose for a draft, and the draft that Create Post opens', () => {
  choicesHere(owner, 'd1').write({ chosen })
  expect(choicesHere(owner, 'd1').read()).toEqual({ chosen })
  expect(choicesHere(owner, 'd2').read()).toEqual({ chosen: null })
  currentDraft(owner).write({ id: 'd1' })
  expect(currentDraft(owner).read()).toEqual({ id: 'd1' })
})

test.each([
  ['no choices', {}],
  ['no object', 'verse'],
  ['a name that is no text', { chosen: { ...chosen, authorName: 1 } }],
  ['an unknown kind of post', { chosen: { ...chosen, postType: 'admin' } }],
  ['an unknown category', { chosen: { ...chosen, category: 'Cellar' } }],
  ['an unknown form', { chosen: { ...chosen, form: 'drama' } }],
  ['tags that are no list', { chosen: { ...chosen, tags: 'night' } }],
  ['a tag that is no text', { chosen: { ...chosen, tags: [1] } }],
])('stored choices with %s are not read', (_what, stored) => {
  store('post-draft/d1', stored)
  expect(choicesHere(owner, 'd1').read()).toEqual({ chosen: null })
})

test('a stored draft id that is no text is not read', () => {
  store('current-draft', { id: 1 })
  expect(currentDraft(owner).read()).toEqual({ id: null })
})
