import type { Room } from '#contract/rooms/room.ts'

export const roomsPath = '/zimmers?view=rooms'

/** The address of a room, also of its story after the end unless it has an address of its own. */
export const roomPath = (id: string): string => `${roomsPath}&room=${id}`

/** The address that opens the form of a new private room with a friend. */
export const newRoomPath = (friendId: string): string => `${roomsPath}&with=${friendId}`

/** The address of the list of finished stories. */
export const shelfPath = '/projects/finished'

/** The address of the finished stories after a cursor. */
export const olderStoriesPath = (before: string): string => `${shelfPath}?before=${before}`

/** The address of a finished public story. */
export const storyPath = (id: string): string => `/stories/${id}`

/** Whether a room has ended and everybody may read its story. */
export const isPublicStory = ({ isPublic, isActive }: Pick<Room, 'isPublic' | 'isActive'>): boolean =>
  isPublic && !isActive

/** The address that links of a room lead to. */
export const roomLink = (room: Pick<Room, 'id' | 'isPublic' | 'isActive'>): string =>
  isPublicStory(room) ? storyPath(room.id) : roomPath(room.id)
