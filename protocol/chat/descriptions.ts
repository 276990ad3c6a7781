import type { Descriptions } from '../description.js'

const invoker = {
  chatId: 'Id of the chat account of the verified interaction.',
  guildId: 'Id of the guild that the interaction came from; absent outside a guild.',
} as const

const announcement = { announcement: 'Sentence to post in the chat, in Polish.' } as const

const registered = {
  status: 'Whether the binding is new or was there already.',
  ...announcement,
} as const

const assigned = {
  ...registered,
  chatId: 'Id of the chat account that is bound.',
  role: 'Role of the invoker in the contributor store that gives the right.',
  guildRole: 'Guild role that names it, by `@chat_rola`.',
} as const

export const chatDescriptions: Descriptions = {
  RegisterByChat: { ...invoker, gameId: 'Id in the game that the account wants to be bound to.' },
  Registered: registered,
  RegisterPreview: { wouldRegister: 'Game id that would be bound.', ...registered },
  WhoamiByChat: invoker,
  ChatSelfReport: {
    linked: 'True when the account is bound to a game id.',
    gameId: 'That game id; empty without one.',
    gracz: 'Name of the person of that id; empty without one.',
    graczResolves: 'True when the id belongs to exactly one person today.',
    guildMatches: 'True when the guild is that of this host; null when one of them is not named.',
    signInEnabled: 'True when this host takes sign-ins of the chat.',
    registrationEnabled: 'True when this host lets accounts register themselves.',
    capabilityCount: 'Number of capabilities that the person holds in full.',
  },
  PeopleByChat: { prefix: 'Beginning of a name, an alias or a game id; the first people without it.' },
  PickedPeople: {
    count: 'Number of matches in this answer, at most 25.',
    items: 'The matches; a single match is the object itself, not a list.',
  },
  PickedPerson: {
    name: 'Heading of the person in the contributor store.',
    linked: 'True when a chat account is bound to the id.',
  },
  AssignByChat: {
    ...invoker,
    targetChatId: 'Id of the chat account to bind.',
    gameId: 'Id in the game to bind it to.',
    roles: 'Ids of the guild roles that the interaction carried.',
  },
  Assigned: assigned,
  AssignPreview: { wouldAssign: 'Game id that would be bound.', ...assigned },
}
