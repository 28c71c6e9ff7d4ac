export const searchInputId = 'search'

/** For the key that leads to the search box. */
export const focusSearch = () => document.getElementById(searchInputId)?.focus()
