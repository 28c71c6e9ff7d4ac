/** Part of the key under which the passages of a story that came with the page are cached. */
export const embeddedStory = 'embedded story'
