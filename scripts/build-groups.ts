import { globSync } from 'node:fs'
import { join, sep } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Asks whether a module is one of the named files. Fails when one of the names is no file any more. */
export function isOneOf(names: readonly string[]) {
  const files = names.flatMap((name) => {
    const found = globSync(name, { cwd: root })
    if (found.length === 0) throw new Error(`The build of the page names ${name}, which is no file.`)
    return found.map((file) => join(root, file).replaceAll(sep, '/'))
  })
  const known = new Set(files)
  return (id: string) => known.has(id)
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

/** What several pages show, and the feed first. */
export const isShared = isOneOf([
  'web/ui/Avatar.tsx',
  'web/ui/Badge.tsx',
  'web/ui/Card.tsx',
  'web/ui/LineDrawing.tsx',
  'web/ui/Skeleton.tsx',
  'web/ui/WrittenText.tsx',
  'web/lib/locale.ts',
  'web/features/posts/article.ts',
  'web/features/posts/index.ts',
  'web/features/feed/api.ts',
  'web/features/feed/AuthorName.tsx',
  'web/features/feed/counts.ts',
  'web/features/feed/day-names.ts',
  'web/features/feed/picture-size.ts',
  'web/features/feed/post-time.ts',
  'web/features/feed/PostCard.tsx',
  'web/features/feed/sections/SectionFrame.tsx',
  'web/features/feed/sections/titles.ts',
  'contract/beginning.ts',
  'contract/covers/paths.ts',
  'contract/days.ts',
  'contract/feed/categories.ts',
  'contract/feed/reading/endpoints.ts',
  'contract/feed/post.ts',
  'contract/feed/trending.ts',
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

/** Most forms need all of these: one small file instead of four. */
export const isField = isOneOf([
  'web/ui/Checkbox.tsx',
  'web/ui/Field.tsx',
  'web/ui/TextArea.tsx',
  'web/ui/TextField.tsx',
])

/** What every text that a person writes needs. One name in the lists of files instead of six keeps the first page small. */
export const isEditor = isOneOf([
  'web/lib/editor/*.ts',
  'web/lib/device/bucket.ts',
  'node_modules/idb/build/index.js',
])

/** Addresses of pages that other pages link to: one small file instead of three. */
export const isAddress = isOneOf([
  'contract/openid/path.ts',
  'contract/password-resets/path.ts',
  'contract/rooms/credit/paths.ts',
])

/** What every list of search results needs. */
export const isSearchResult = isOneOf([
  'contract/search/query.ts',
  'web/lib/use-settled.ts',
  'web/ui/Marked.tsx',
])

/** What the pages to write a post on need, and what sends a draft later. */
export const isDraft = isOneOf([
  'web/features/posts/draft-choices.ts',
  'web/features/posts/save-draft.ts',
  'web/features/posts/use-draft.ts',
  'web/lib/form-choices.ts',
])
