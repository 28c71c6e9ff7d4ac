import { membersMax, openRoomsMax } from './room.ts'

export const roomErrors = {
  RoomNotFound: { status: 404, error: 'This Z!mmer no longer exists.' },
  PassageNotFound: { status: 404, error: 'This passage does not exist, or its text was erased.' },
  PrivateRoom: {
    status: 403,
    error: 'This is a private room. You cannot join without an invitation.',
  },
  PublicRoomsOff: { status: 403, error: 'New Z!mmers are private here. Please invite friends to yours.' },
  NotRoomMember: { status: 403, error: 'You must be a member of this room to send messages.' },
  RoomExpired: { status: 403, error: 'This Z!mmer has ended: its story is finished.' },
  RoomStillOpen: { status: 403, error: 'This story is still being written.' },
  NoProof: { status: 403, error: 'This Z!mmer is older than the seals of stories, so it has no proof.' },
  NothingWritten: { status: 403, error: 'You have written nothing in this Z!mmer.' },
  RoomFull: { status: 403, error: `This Z!mmer is full: ${membersMax} people write in it.` },
  RoomClosed: { status: 403, error: 'The creator has closed this table.' },
  NotRoomCreator: { status: 403, error: 'Only the creator of this Z!mmer can do this.' },
  NotSeated: { status: 403, error: 'Only people with a seat at the table talk here.' },
  NotRemovable: { status: 403, error: 'Only other members of this Z!mmer can be removed.' },
  StoryFull: {
    status: 403,
    error: 'This story is as long as a Z!mmer can hold. Begin another to go on.',
  },
  TooManyRooms: {
    status: 403,
    error: `You have ${openRoomsMax} open Z!mmers. Another can begin when one has ended.`,
  },
  NotYourFriend: { status: 400, error: 'Only your friends can be invited.' },
  NoTurns: { status: 400, error: 'In this Z!mmer everybody may write at any time.' },
  TurnOver: { status: 403, error: 'This turn is over. Your text stays here for your next turn.' },
  NotYourTurn: { status: 403, error: 'It is not your turn yet. Your text stays here until it is.' },
  NotNext: { status: 403, error: 'This person cannot be next now. Please choose somebody else.' },
  PassageTooLong: { status: 400, error: 'This passage is longer than a passage may be in this Z!mmer.' },
} as const
