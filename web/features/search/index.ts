export { focusSearch } from './focus-search.ts'
export { SearchBox } from './SearchBox.tsx'
