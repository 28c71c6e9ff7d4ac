/** The room comes when it is entered, or pointed at. */
export const loadRoomPage = async () => (await import('./room/RoomPage.tsx')).RoomPage
