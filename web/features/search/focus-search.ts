export const searchInputId = 'search'

export const focusSearch = () => document.getElementById(searchInputId)?.focus()
