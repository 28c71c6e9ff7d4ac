import type { ReportAction, ReportKind, ReportOutcome } from './report.ts'

interface Answered {
  kind: ReportKind
  outcome: ReportOutcome
  actions: readonly ReportAction[]
}

/** What the reporter reads, such as "An admin has hidden the post and warned the author." */
export function answerOf({ kind, outcome, actions }: Answered): string {
  if (actions.length === 0) return sentences[outcome]
  const person = kind === 'person' ? 'person' : 'author'
  const ofPerson = actions.filter((each) => each === 'warned' || each === 'suspended')
  const parts = [
    ...actions.filter((each) => each === 'hidden' || each === 'erased').map((verb) => `${verb} the ${kind}`),
    ...(ofPerson.length > 0 ? [`${ofPerson.join(' and ')} the ${person}`] : []),
  ]
  return `An admin has ${parts.join(' and ')}.`
}

const sentences: Record<ReportOutcome, string> = {
  removed: 'What you reported was removed.',
  kept: 'An admin has read it and left everything as it is.',
  warned: 'An admin has warned the author.',
}
