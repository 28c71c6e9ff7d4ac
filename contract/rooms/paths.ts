/** Where the rooms are listed. */
export const roomsPath = '/zimmers?view=rooms'

/** Where a room is entered, and its story is read once it has ended. */
export const roomPath = (id: string): string => `${roomsPath}&room=${id}`
