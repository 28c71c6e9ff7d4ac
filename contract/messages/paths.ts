export const messagesPath = '/messages'

export const conversationPath = (friendId: string): string => `${messagesPath}?friend=${friendId}`
