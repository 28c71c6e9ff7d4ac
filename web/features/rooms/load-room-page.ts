/** Loads the page of a room when a person enters the room or points at its link. */
export const loadRoomPage = async () => (await import('./room/RoomPage.tsx')).RoomPage
