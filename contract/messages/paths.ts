export const messagesPath = '/messages'

/** The address of the conversation with a friend. */
export const conversationPath = (friendId: string): string => `${messagesPath}?friend=${friendId}`
