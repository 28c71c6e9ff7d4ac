import type { ReportAction, ReportKind, ReportOutcome } from './report.ts'

interface Answered {
  kind: ReportKind
  outcome: ReportOutcome
  actions: readonly ReportAction[]
}

/** What the reporter reads, such as "An admin or moderator has hidden the post and warned the author." */
export function answerOf({ kind, outcome, actions }: Answered): string {
  if (actions.length === 0) return sentences[outcome]
  const person = kind === 'person' ? 'person' : 'author'
  const ofPerson = actions.filter((each) => each === 'warned' || each === 'suspended')
  const parts = [
    ...actions.filter((each) => each === 'hidden' || each === 'erased').map((verb) => `${verb} the ${kind}`),
    ...(ofPerson.length > 0 ? [`${ofPerson.join(' and ')} the ${person}`] : []),
  ]
  return `An admin or moderator has ${parts.join(' and ')}.`
}

/** The kind with its article, such as "an aside". */
export const withArticle = (kind: ReportKind): string => `${kind === 'aside' ? 'an' : 'a'} ${kind}`

const sentences: Record<ReportOutcome, string> = {
  removed: 'What you reported was removed.',
  kept: 'An admin or moderator has read it and left everything as it is.',
  warned: 'An admin or moderator has warned the author.',
}
