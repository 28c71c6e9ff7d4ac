import { expect, test } from 'vitest'
import { answerOf, withArticle } from './answer.ts'
import { outcomeOf, type ReportAction, type ReportKind, reportKinds } from './report.ts'

test.each<[ReportKind, ReportAction[], string | undefined, string]>([
  ['post', ['hidden'], 'removed', 'An admin or moderator has hidden the post.'],
  [
    'passage',
    ['erased', 'warned'],
    'removed',
    'An admin or moderator has erased the passage and warned the author.',
  ],
  [
    'post',
    ['erased', 'warned', 'suspended'],
    'removed',
    'An admin or moderator has erased the post and warned and suspended the author.',
  ],
  ['aside', ['erased'], 'removed', 'An admin or moderator has erased the aside.'],
  ['message', ['warned'], 'warned', 'An admin or moderator has warned the author.'],
  ['person', ['suspended'], 'warned', 'An admin or moderator has suspended the person.'],
  ['post', [], undefined, 'An admin or moderator has read it and left everything as it is.'],
])('a reporter of a %s reads what was done: %j [INST-15]', (kind, actions, outcome, sentence) => {
  expect(outcomeOf(actions)).toBe(outcome)
  expect(answerOf({ kind, outcome: outcomeOf(actions) ?? 'kept', actions })).toBe(sentence)
})

test('each kind of report has its article [TABLE-01]', () => {
  expect(reportKinds.map(withArticle)).toEqual(['a message', 'a passage', 'an aside', 'a post', 'a person'])
})
