import { globSync } from 'node:fs'
import { join, sep } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Asks whether a module is one of the named files. Fails when one of the names is no file any more. */
export function isOneOf(names: readonly string[]) {
  const files = names.flatMap(alternatives).flatMap((name) => {
    const found = globSync(name, { cwd: root })
    if (found.length === 0) throw new Error(`The build of the page names ${name}, which is no file.`)
    return found.map((file) => join(root, file).replaceAll(sep, '/'))
  })
  const known = new Set(files)
  return (id: string) => known.has(id)
}

/** 'web/{a,b}.ts' is 'web/a.ts' and 'web/b.ts'. */
function alternatives(name: string): string[] {
  const [braces, names] = /\{(.*?)\}/.exec(name) ?? []
  return names === undefined
    ? [name]
    : names.split(',').flatMap((each) => alternatives(name.replace(braces!, each)))
}

/** Parts of the first page. They are drawn once or are small, and the memo code of the compiler would take 8 KB. */
export const isOfFirstPage = isOneOf([
  'web/app.tsx',
  'web/routes.tsx',
  'web/other-pages.tsx',
  'web/shell/**',
  'web/ui/**',
  'web/lib/*',
  'web/features/account/**',
  'web/features/details/DetailsProvider.tsx',
  'web/features/feed/**',
  'web/features/instance/Welcome.tsx',
  'web/features/onboarding/**',
  'web/features/posts/article.ts',
  'web/features/search/SearchBox.tsx',
])

/** What the feed shows, and other pages rarely. */
export const isOfFeed = isOneOf([
  'contract/{beginning,feed/title,feed/trending}.ts',
  'web/features/feed/{AuthorName,DayLink,DayNavigator,EmptyDay,FeedPage,NewHouse,PostCard}.tsx',
  'web/features/feed/article-part.tsx',
  'web/features/feed/sections/{FeedSections.tsx,SectionFrame.tsx,titles.ts}',
  'web/ui/AdPlaceholder.tsx',
])

/** What several pages show, and the feed first. */
export const isShared = isOneOf([
  'web/ui/Avatar.tsx',
  'web/ui/Badge.tsx',
  'web/ui/Card.tsx',
  'web/ui/LineDrawing.tsx',
  'web/ui/Skeleton.tsx',
  'web/ui/WrittenText.tsx',
  'web/ui/use-is-near.ts',
  'web/lib/{drawn-height,locale}.ts',
  'web/features/posts/article.ts',
  'web/features/posts/index.ts',
  'web/features/feed/api.ts',
  'web/features/feed/counts.ts',
  'web/features/feed/day-names.ts',
  'web/features/feed/picture-size.ts',
  'web/features/feed/post-time.ts',
  'web/features/feed/PostActions.tsx',
  'contract/covers/paths.ts',
  'contract/days.ts',
  'contract/feed/categories.ts',
  'contract/feed/reading/endpoints.ts',
  'contract/feed/post.ts',
  'contract/messages/paths.ts',
  'contract/people/paths.ts',
  'contract/text-form.ts',
  ...[
    'arrow-left',
    'arrow-right',
    'chevron-left',
    'chevron-right',
    'heart',
    'message-circle',
    'pen-line',
    'share-2',
    'user-plus',
  ].map((icon) => `node_modules/lucide-react/dist/esm/icons/${icon}.mjs`),
])

/** What the form of a newcomer needs, and other forms too. */
export const isForm = isOneOf([
  'contract/account/rules.ts',
  'contract/account/{registration,suspensions}/{endpoints,rules}.ts',
  'contract/ids.ts',
  'contract/instance/{endpoints,pages}.ts',
  'contract/invitations/*.ts',
  'contract/openid/*.ts',
  'contract/password-resets/path.ts',
  'contract/rooms/credit/paths.ts',
  'node_modules/react/**/*compiler-runtime*.js',
  'web/features/account/has-session-ended.ts',
  'web/features/diary/guest-of-person.ts',
  'web/lib/{cached,in-browser,read-again,stored-row,use-action}.ts',
  'web/ui/{Checkbox,Field,TextArea,TextField}.tsx',
])

/** What every menu needs. */
export const isMenu = isOneOf([
  'node_modules/@floating-ui/**/*.mjs',
  'node_modules/@radix-ui/react-{collection,direction,dropdown-menu,menu,popover,popper,roving-focus,use-is-hydrated,use-size}/dist/*.mjs',
  'web/ui/{ButtonElsewhere,MenuContent}.tsx',
])

/** What every dialog needs. */
export const isDialog = isOneOf([
  'node_modules/@radix-ui/**/*.mjs',
  'node_modules/{aria-hidden,react-remove-scroll,react-remove-scroll-bar,use-callback-ref,use-sidecar}/dist/es2015/*.js',
  'node_modules/tslib/tslib.es6.mjs',
  'web/features/account/SignInAgainDialog.tsx',
  'web/lib/style-singleton.ts',
  'web/ui/{Dialog,DialogClose,TwoTextsDialog}.tsx',
])

/** What every text that a person writes needs. */
export const isEditor = isOneOf([
  'contract/text-words.ts',
  'web/lib/editor/{manuscript,snapshot,status,use-drafted-text,use-editor}.ts',
  'web/lib/send-shortcuts.ts',
  'web/ui/TwoTexts.tsx',
])

/** What keeps texts on this device, and sends them later. */
export const isOfDrafts = isOneOf([
  'node_modules/idb/build/index.js',
  'web/features/calendar/save-note.ts',
  'web/features/diary/{account-days,local-diary,local-notes,page-diary,path,save-day}.ts',
  'web/features/posts/{draft-choices,paths,save-draft}.ts',
  'web/lib/device/{bucket,database,days,formats}.ts',
  'web/lib/editor/{all-drafts,conflict,drafts,in-time,open-manuscripts}.ts',
  'web/lib/editor/{requested-save,save,send-draft,tab,text-kind}.ts',
  'web/lib/{form-choices,kept-keys,local-days,read-in-parts}.ts',
])

/** What a person with an account can do on every page. Log-out must work while other files are missing. */
export const isAccount = isOneOf([
  'node_modules/lucide-react/dist/esm/icons/{log-out,shield-check}.mjs',
  'web/features/account/{leaving,load-change-password-dialog,sign-in-again}.ts',
  'web/shell/{AccountMenu,AdminEntries,PersonBar,WaitingCount}.tsx',
])

/** What works for a person with an account on every page. */
export const isSignedIn = isOneOf([
  'web/features/bookmarks/kept-posts.ts',
  'web/features/competitions/entry-draft.ts',
  'web/features/{friends,invitations,messages}/cache.ts',
  'web/features/messages/{Inbox.tsx,conversation.ts,recent-messages.ts,use-check-session.ts}',
  'web/features/notifications/{desktop,first-line,index,notifications-of-device,occasions,shown-addresses,unseen}.ts',
  'web/features/notifications/{Bell.tsx,use-notifications.ts,use-notifier.ts}',
  'web/features/rooms/kept-rooms.ts',
  'web/features/unsent/{OfflineFeed.tsx,Unsent.tsx,installation.ts,sender.ts,words.ts}',
  'web/lib/device/{answer-store,answers,mirror}.ts',
  'web/lib/live/*',
  'web/{kept-queries,only-copies,restore}.ts',
  'web/signed-in.tsx',
])

/** What a signed-in person can do with a post. */
export const isOfPostTools = isOneOf([
  'web/features/abuse-reports/use-report.tsx',
  'web/features/bookmarks/use-bookmarks.ts',
])

/** The rows of cards below the feed. */
export const isOfRows = isOneOf(['web/features/follows/FollowButton.tsx', 'web/ui/ScrollingRow.tsx'])

/** What the profiles of sample creators need, in the feed and on their page. */
export const isOfCreators = isOneOf([
  'web/features/creators/{ContentTypes,CreatorAvatar,CreatorCard,CreatorCover,Piece,VerifiedBadge}.tsx',
  'web/features/creators/{generated-creators,sample-creators,sections,seeded-random,written-creator}.ts',
  'web/features/creators/content/{creators,generated}.json',
  ...[
    'camera',
    'eighth-notes',
    'feather',
    'headphones',
    'library-big',
    'mic',
    'notebook-pen',
    'palette',
    'shapes',
    'video',
  ].map((icon) => `node_modules/lucide-react/dist/esm/icons/${icon}.mjs`),
])

/** What long lists need. */
export const isOfLists = isOneOf([
  'node_modules/lucide-react/dist/esm/icons/refresh-cw.mjs',
  'web/lib/{pages,use-held}.ts',
  'web/lib/Time.tsx',
  'web/ui/{ShowMore,Tabs}.tsx',
])

/** What open conversations and rooms need. */
export const isOfTalk = isOneOf([
  'contract/rooms/{live,times}.ts',
  'contract/rooms/table/{asides,endpoints}.ts',
  'node_modules/lucide-react/dist/esm/icons/{lock,send-horizontal}.mjs',
  'web/lib/{outbox,use-earlier,use-outbox,use-stick-to-end}.ts',
  'web/ui/ComposeBar.tsx',
])

/** What settings need, and other forms that are rarely opened. */
export const isOfSettings = isOneOf([
  'contract/archive/parts.ts',
  'contract/{magazine,password-resets,people}/endpoints.ts',
  'web/features/away-notifications/telling-sentence.ts',
  'web/lib/{address-token,theme,upload,use-upload}.ts',
  'web/ui/{FileField,LinkSheet,NumbersTable,RadioGroup,Switch,TitledCard,TitledGroup,UploadProgress}.tsx',
  ...['file-archive', 'key-round', 'printer', 'shield-minus', 'shield-plus', 'star'].map(
    (icon) => `node_modules/lucide-react/dist/esm/icons/${icon}.mjs`,
  ),
])

const savesTexts = isOneOf([
  'contract/saving/saved-text.ts',
  ...['copy', 'download', 'link'].map((icon) => `node_modules/lucide-react/dist/esm/icons/${icon}.mjs`),
  'web/features/saving/{SaveAs,SaveAsButton}.tsx',
  'web/features/saving/pdf-of.ts',
  'web/lib/{download,workers}.ts',
  'web/ui/CopyLink.tsx',
])

/** What saves and copies texts, and the addresses of the workers. */
export const isOfSaving = (id: string) => savesTexts(id) || id.includes('?worker')

/** What searches the words of texts. */
export const isOfWords = isOneOf([
  'contract/search/{query,words}.ts',
  'web/features/diary/search/word-line.ts',
])

/** Small files of which several pages need some: one file for all of them. */
export const isCommon = (id: string) =>
  /\/(contract|web\/(lib|ui|features\/saving))\/|InfiniteQuery|\/lucide-react\//.test(id)
