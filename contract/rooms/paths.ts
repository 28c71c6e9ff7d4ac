import type { Room } from '#contract/rooms/room.ts'

/** The address of the list of rooms. */
export const roomsPath = '/zimmers?view=rooms'

/** The address of a room, and of its story after the end. */
export const roomPath = (id: string): string => `${roomsPath}&room=${id}`

/** The address of the list of finished stories. */
export const shelfPath = '/projects/finished'

/** The address of a finished story that everybody may read. */
export const storyPath = (id: string): string => `/stories/${id}`

/** Whether a room has ended and everybody may read its story. */
export const isPublicStory = ({ isPublic, isActive }: Pick<Room, 'isPublic' | 'isActive'>): boolean =>
  isPublic && !isActive
