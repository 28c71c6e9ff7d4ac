import type { InstancePage } from '#contract/instance/pages.ts'
import type { InstanceSettings } from '#contract/instance/settings.ts'
import type { Config } from '#server/config.ts'

type Environment = Pick<Config, 'searchEngines' | 'diaryKey' | 'webSubHub'>

/** A page of the instance. Privacy has paragraphs about the use of texts below the text of the admins. */
export const instancePageOf = (page: InstancePage, settings: InstanceSettings, environment: Environment) => ({
  content: settings[page],
  ...(page === 'privacy' && { textUse: textUseOf(settings, environment) }),
})

/** Says in paragraphs what the program does with texts, by the switches of the instance. */
function textUseOf(
  { publicRooms, watchedWords, modelTraining }: InstanceSettings,
  { searchEngines, diaryKey, webSubHub }: Environment,
): string[] {
  const readers = [
    'Everybody can read published posts, what is written in public Z!mmers, and the pages of people who have switched theirs on. No account is needed for that, and feeds contain these texts too.',
    !publicRooms && 'New Z!mmers are private here.',
    'A private Z!mmer is for its members, and a message for the two people of the conversation. The diary, notes, drafts and documents are for their author.',
  ]
  const admins = [
    'Admins and moderators read posts that wait for review, and a copy of each thing that somebody reports to them.',
    watchedWords !== '' &&
      'Posts are compared with a list of words that admins watch for. A post with one of them may wait for review.',
    diaryKey === undefined
      ? 'Whoever runs the server can read its database, in which texts are not encrypted.'
      : 'Whoever runs the server can read its database. The diary, notes, drafts, documents and messages are encrypted in it, with a key that the operator has.',
  ]
  const crawlers = [
    searchEngines
      ? 'Search engines may list what everybody can read.'
      : 'Search engines are asked to list nothing of this instance.',
    modelTraining
      ? 'The admins have allowed that crawlers read these texts to train models.'
      : 'Crawlers that collect texts to train models are asked to stay away: by robots.txt, by headers of every answer, and by the TDM Reservation Protocol. A crawler that ignores this is not stopped.',
  ]
  const others = [
    'The program itself trains no model, sells no texts, gives none to advertisers, and loads nothing from other servers into its pages.',
    webSubHub !== undefined && 'A service is notified of new posts and stories, and reads them in the feeds.',
    'Admins can have published posts and finished public stories announced to other programs, by title, author and address.',
  ]
  return [readers, admins, crawlers, others].map((sentences) =>
    sentences.filter((sentence) => sentence !== false).join(' '),
  )
}
