import type { Descriptions } from '../description.js'

const channel = {
  channel: 'Channel on the chat platform, without its category; null when unset or declined.',
  category: 'Category of the channel; null when unset or declined.',
} as const

const info = {
  file: 'Path of the character file.',
  count: 'Number of the listed entries.',
  items: 'Entries after the write, in the order of the file; empty for a caller who may not read them.',
} as const

export const peopleDescriptions: Descriptions = {
  RosterItem: {
    name: 'Heading of the person in the contributor store.',
    poprzednieId: 'Earlier ids in the game, oldest first.',
    roles: 'Roles of today.',
    status: 'Status of today.',
    chat: 'Channels on the chat platform, as `category/channel`.',
    alias: 'Other names of today.',
    tematy:
      'Topics that the person does not want in play; null without any, absent without the right to read them.',
  },
  Gracz: {
    Name: 'Heading of the person in the contributor store.',
    Type: 'Always `Gracz`.',
    GameId: 'Id of the person in the game; null when the person is not listed.',
    PoprzednieId: 'Earlier ids in the game, oldest first.',
    Standing: 'Whether the person is on the roster today, never was, or no longer is.',
    Status: 'Status of today.',
    Roles: 'Roles of today.',
    Chat: 'Channels on the chat platform, as `category/channel`.',
    Aliases: 'Other names of today.',
    Characters: 'Headings of the characters of the person that are not deleted.',
    Line: 'Line of the heading in the contributor store, counted from 1.',
    Tematy:
      'Topics that the person does not want in play; null without any, absent without the right to read them.',
  },
  ChannelPair: { name: 'Heading of the person.', ...channel },
  ChannelCensus: {
    count: 'Number of listed people in `items`.',
    total: 'Number of people on the roster: `set` + `declined` + `missing`.',
    set: 'People with a channel.',
    declined: 'People who declined a channel.',
    missing: 'People without any word on a channel.',
    unlisted: 'Blocks of people without exactly one open id in the game of their own.',
    retired: 'Blocks of people all of whose ids are closed.',
    blocks: 'All blocks of people: `total` + `unlisted` + `retired`.',
    items: 'The people on the roster, with their channels.',
  },
  ChannelCensusItem: {
    name: 'Heading of the person.',
    state: 'Whether a channel is set, declined or missing.',
    ...channel,
  },
  PersonWrite: {
    name: 'Name of the person; read only to name it in the refusal.',
    tag: 'Tag to write; read only to name it in the refusal.',
  },
  Postac: {
    Name: 'Heading of the character.',
    Type: 'Always `Postać`.',
    Status: 'Status on the requested day.',
    Owner: 'Person who plays the character on the requested day; null without one.',
    Groups: 'Groups on the requested day.',
    Location: 'Place on the requested day; null when unknown.',
    Aliases: 'Other names on the requested day.',
    PuStartowe: 'PU at the creation of the character, two decimals; null when unknown.',
    PuSuma: 'PU altogether: starting plus earned, two decimals; null when unknown.',
    PuZdobyte: 'PU earned in sessions, two decimals; null when unknown.',
    PuNadmiar: 'PU above the monthly maximum, kept for a later batch, two decimals; null when unknown.',
    Info: 'Values of `@info`, one text each.',
    CharacterSheet: 'Address of the character sheet; null without one.',
    Condition: 'Health and state of mind, from `@stan` or the character file; null when none is written.',
    SpecialItems: 'Special items, one text each.',
    Reputation: 'Reputation by place, in three tiers.',
    AdditionalInfo: 'Entries of `Dodatkowe informacje`, as they are in the character file.',
    DescribedSessions: 'Sessions that the character file tells of.',
    CharacterFile: 'Path of the character file; null without one.',
    RefFile: 'File that an `@ref` row of the block reads in; null without one.',
    RefForm: 'Form of the `@ref` file; null without one.',
    RefBroken: 'True when the `@ref` row cannot be followed.',
    RefBrokenReason: 'Why the `@ref` row cannot be followed, in Polish; null when it can.',
    File: 'Path of the file that has the block.',
    Line: 'Line of the heading, counted from 1.',
    RestrictedTopics: 'Topics to keep out of play; null without any, absent without the right to read them.',
  },
  'Postac.Reputation': {
    Positive: 'Places with a good reputation.',
    Neutral: 'Places with a mixed reputation.',
    Negative: 'Places with a bad reputation.',
  },
  ReputationEntry: {
    Location: 'Name of the place, as written.',
    Detail: 'What the reputation rests on; null when none is written.',
  },
  DescribedSession: {
    Date: 'Day of the session as written; null when none is.',
    Title: 'Title of the session.',
    Narrator: 'Narrator as written; null when none is.',
  },
  CharacterInfo: {
    character: 'Heading of the character.',
    file: 'Path of the character file; null without one.',
    items: 'Entries in the order of the file; `match` of a change must equal one of them.',
  },
  CharacterCreate: {
    name: 'Heading of the new character.',
    tags: 'Values by tag without the at sign; `należy_do` names the owner.',
  },
  InfoEntry: { text: 'Text of the new entry, one line.' },
  InfoChange: { match: 'Text of the entry now, exactly.', text: 'New text of the entry, one line.' },
  InfoRemoval: { match: 'Text of the entry to remove, exactly.' },
  InfoWritten: { character: 'Heading of the character.', ...info },
  InfoPreview: { wouldUpdate: 'Heading of the character whose file would change.', ...info },
}
