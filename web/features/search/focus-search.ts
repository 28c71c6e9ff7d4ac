export const searchInputId = 'search'

/** Moves the focus to the search box. */
export const focusSearch = () => document.getElementById(searchInputId)?.focus()
