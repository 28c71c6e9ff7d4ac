/** What hiding and showing are called. A waiting post is set aside, and returns to the queue. */
export const visibilityWords = (isWaiting: boolean, isVisible: boolean) =>
  (isWaiting ? waiting : others)[isVisible ? 'show' : 'hide']

const waiting = {
  hide: {
    verb: 'Set aside',
    bulkVerb: 'Set selected aside',
    changedTo: 'set aside',
    failed: 'Failed to set the post aside',
    bulkFailed: 'Failed to set posts aside',
  },
  show: {
    verb: 'Return to the queue',
    bulkVerb: 'Return selected to the queue',
    changedTo: 'returned to the queue',
    failed: 'Failed to return the post to the queue',
    bulkFailed: 'Failed to return posts to the queue',
  },
}
const others: typeof waiting = {
  hide: {
    verb: 'Hide',
    bulkVerb: 'Hide selected',
    changedTo: 'hidden',
    failed: 'Failed to hide the post',
    bulkFailed: 'Failed to hide posts',
  },
  show: {
    verb: 'Show',
    bulkVerb: 'Show selected',
    changedTo: 'shown',
    failed: 'Failed to show the post',
    bulkFailed: 'Failed to show posts',
  },
}
