import * as t from 'io-ts'
import { ResolvedPlayer, Status } from '../atoms.js'
import type { Descriptions } from '../description.js'
import { IntegrityFinding } from '../finding.js'
import { listOf } from '../list.js'
import { DayOrInstantText, GameIdText, NickText, StatusText, windowQuery } from '../query.js'
import { ofHost, type Route, read, route, type Table } from '../route.js'
import { CharacterInfo, Postac, Postacie } from './characters.js'

const TextOrNull = t.union([t.string, t.null])
const Texts = t.readonlyArray(t.string)

/**
 * A person of the roster (A 2.3). `roles`, `status` and `alias` are those of the day. `chat` are channels as
 * `category/channel`. `tematy` is absent for a caller without `player.restricted.read`, null when there are
 * none.
 */
export const RosterItem = t.intersection(
  [
    t.type({
      name: t.string,
      gameId: t.string,
      poprzednieId: Texts,
      roles: Texts,
      status: Status,
      chat: Texts,
      alias: Texts,
    }),
    t.partial({ tematy: TextOrNull }),
  ],
  'RosterItem',
)
export type RosterItem = t.TypeOf<typeof RosterItem>

const RosterAnswer = listOf(RosterItem, 'Roster')

/** The standing of a block of the store on the day (A 4.6.3). Only `listed` people are on the roster. */
const Standing = t.keyof({ listed: null, unlisted: null, retired: null }, 'Standing')

/** A Gracz (A 2.3). `GameId` is null for a person who is not listed. `Tematy` as in the roster. */
export const Gracz = t.intersection(
  [
    t.type({
      Name: t.string,
      Type: t.literal('Gracz'),
      GameId: TextOrNull,
      PoprzednieId: Texts,
      Standing,
      Status,
      Roles: Texts,
      Chat: Texts,
      Aliases: Texts,
      /** Headings of the Postacie that are not deleted. */
      Characters: Texts,
      File: t.string,
      Line: t.number,
    }),
    t.partial({ Tematy: TextOrNull }),
  ],
  'Gracz',
)
export type Gracz = t.TypeOf<typeof Gracz>

/** The first channel of a person; both null when unset or declined (A 2.3). */
export const ChannelPair = t.type(
  { name: t.string, channel: TextOrNull, category: TextOrNull },
  'ChannelPair',
)
export type ChannelPair = t.TypeOf<typeof ChannelPair>

const ChannelState = t.keyof({ set: null, declined: null, missing: null }, 'ChannelState')

/**
 * The census of channels (A 4.6.3, D21): `total` = set + declined + missing, `blocks` = total + unlisted +
 * retired.
 */
export const ChannelCensus = t.type(
  {
    count: t.number,
    total: t.number,
    set: t.number,
    declined: t.number,
    missing: t.number,
    unlisted: t.number,
    retired: t.number,
    blocks: t.number,
    items: t.readonlyArray(
      t.type(
        { name: t.string, state: ChannelState, channel: TextOrNull, category: TextOrNull },
        'ChannelCensusItem',
      ),
    ),
  },
  'ChannelCensus',
)
export type ChannelCensus = t.TypeOf<typeof ChannelCensus>

const ContributorFindings = listOf(IntegrityFinding, 'ContributorFindings')

/**
 * The tags of a Postać that its own player writes with `player.write.own` (D66): those that describe the
 * Postać itself. Its creation sets the owner, to the caller; every other tag requires `player.write`. The
 * table in `docs/spec/own-writes.md` is this list.
 */
export const ownTags = [
  'alias',
  'info',
  'plik',
  'stan',
  'karta_postaci',
  'tematy_zastrzezone',
  'przedmiot_specjalny',
  'reputacja_pozytywna',
  'reputacja_neutralna',
  'reputacja_negatywna',
  'dodatkowe_informacje',
] as const

/** A player as the roster or the ledger shows them. `nickKey` is the key of the nick, by which it is compared. */
export const OnlinePlayer = t.readonly(
  t.type({ nick: t.string, nickKey: t.string, gameId: t.string, charId: t.string }),
  'OnlinePlayer',
)
export type OnlinePlayer = t.TypeOf<typeof OnlinePlayer>

/** The key by which a request asks for a player: that of a nick, or a game id. */
export const PlayerKey = t.union(
  [
    t.readonly(t.type({ by: t.literal('nick'), key: t.string })),
    t.readonly(t.type({ by: t.literal('gameId'), gameId: t.string })),
  ],
  'PlayerKey',
)
export type PlayerKey = t.TypeOf<typeof PlayerKey>

/** People and characters (A 4.6). Literal rows must come before `{name}`. */
export const peopleRoutes = {
  'people.list': read({
    path: '/people',
    summary: 'The people whose game id is open today, in the order of the contributor store.',
    capability: 'player.read',
    query: { ...windowQuery },
    answers: { 200: RosterAnswer },
    refusals: [],
    source: 'A 4.6',
    example: { query: { limit: '5', offset: '0' } },
  }),
  'people.channels.list': read({
    path: '/people/channels',
    summary: 'A census of chat channels: set, declined, missing, and who is not listed.',
    capability: 'player.read',
    query: {},
    answers: { 200: ChannelCensus },
    refusals: [],
    source: 'A 4.6',
    example: {},
  }),
  'people.get': read({
    path: '/people/{name}',
    summary: 'One Gracz, by heading or alias.',
    capability: 'player.read',
    query: {},
    answers: { 200: Gracz },
    refusals: ['PersonNotFound'],
    source: 'A 4.6',
    example: { path: { name: 'Brzózka' } },
  }),
  'people.characters.list': read({
    path: '/people/{name}/characters',
    summary: 'The Postacie of a Gracz; deleted ones only where `status` asks for them.',
    capability: 'player.read',
    query: { status: StatusText, ...windowQuery },
    answers: { 200: Postacie },
    refusals: ['PersonNotFound'],
    source: 'A 4.6',
    example: { path: { name: 'Brzoza' }, query: { status: 'Aktywny', limit: '5', offset: '0' } },
  }),
  'people.chatChannel.get': read({
    path: '/people/{name}/chat-channel',
    summary: 'The chat channel of a Gracz.',
    capability: 'player.read',
    query: {},
    answers: { 200: ChannelPair },
    refusals: ['PersonNotFound'],
    source: 'A 4.6',
    example: { path: { name: 'Brzoza' } },
  }),
  'characters.get': read({
    path: '/characters/{name}',
    summary: 'One Postać with its state on a day. The name of a player answers 404 with the path to use.',
    capability: 'player.read',
    query: { activeOn: DayOrInstantText },
    answers: { 200: Postac },
    refusals: ['CharacterNotFound'],
    source: 'A 4.6',
    example: { path: { name: 'Wit Kłos' }, query: { activeOn: '2026-06-01' } },
  }),
  'characters.info.list': read({
    path: '/characters/{name}/info',
    summary: 'The entries of `Dodatkowe informacje` of a Postać.',
    capability: 'player.read',
    query: {},
    answers: { 200: CharacterInfo },
    refusals: ['CharacterNotFound'],
    source: 'A 4.6',
    example: { path: { name: 'Wit Kłos' } },
  }),
  'contributors.integrity.list': read({
    path: '/contributors/integrity',
    summary: 'The findings about the contributor store, the ledger of players and the files of rights.',
    capability: 'player.read',
    findings: true,
    query: { ...windowQuery },
    answers: { 200: ContributorFindings },
    refusals: [],
    source: 'A 4.6',
    example: { query: { limit: '5', offset: '0' } },
  }),
} as const satisfies Table

/** Players of the game by nick or game id (A 4.6.5). */
export const playerRoutes = {
  'players.resolve.get': route({
    ...ofHost,
    method: 'GET',
    path: '/players/resolve',
    summary: 'The player with a nick, present or past, or with a game id: exactly one of both.',
    capability: 'player.read',
    query: { nick: NickText, gameid: GameIdText },
    body: null,
    answers: { 200: ResolvedPlayer },
    refusals: [
      'ParameterInvalid',
      'PlayerNotFound',
      'resolve_fetch_budget_exhausted',
      'DiskRefused',
      'roster_disabled',
      'RosterUnavailable',
    ],
    source: 'A 4.6.5',
    example: { query: { nick: 'Brzozek', gameid: '41001' }, needs: ['nick'], oneOf: ['nick', 'gameid'] },
  }),
} as const satisfies Table

/** The person that a write names. Such a write is always refused, so the rest of the body is ignored. */
const PersonWrite = t.partial({ name: t.unknown, tag: t.unknown }, 'PersonWrite')

const refused = {
  capability: 'player.write',
  own: true,
  write: true,
  replica: false,
  pool: false,
  poolReason: 'mutates',
  etag: false,
  early: false,
  query: {},
  answers: {},
  unknownKeys: 'ignored',
  refusals: ['Forbidden', 'RosterStoreProperty'],
  source: 'A 4.6.1',
} as const satisfies Omit<Route, 'method' | 'path' | 'summary' | 'body'>

/**
 * Writes of people: always refused, because the roster is edited by committing the contributor store (A
 * 4.6.1, D38).
 */
export const rosterRoutes = {
  'people.create': route({
    ...refused,
    method: 'POST',
    path: '/people',
    summary: 'Would add a person: always refused, the contributor store is edited by commits.',
    body: PersonWrite,
    example: { body: { name: 'Brzoza' } },
  }),
  'people.update': route({
    ...refused,
    method: 'PATCH',
    path: '/people/{name}',
    summary: 'Would set a tag of a person: always refused, the contributor store is edited by commits.',
    body: PersonWrite,
    example: { path: { name: 'Brzoza' }, body: { tag: '@alias' } },
  }),
  'people.delete': route({
    ...refused,
    method: 'DELETE',
    path: '/people/{name}',
    summary: 'Would retire a person: always refused, the contributor store is edited by commits.',
    body: null,
    example: { path: { name: 'Brzoza' } },
  }),
  'people.chatChannel.set': route({
    ...refused,
    method: 'PUT',
    path: '/people/{name}/chat-channel',
    summary: 'Would set the chat channel of a person: always refused, the store is edited by commits.',
    body: PersonWrite,
    example: { path: { name: 'Brzoza' }, body: {} },
  }),
} as const satisfies Table

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
  ResolvedPlayer: {
    nick: 'The requested nick as the ledger spells it; for a game id the present nick.',
    currentNick: 'Nick of the newest row of the ledger, or of the roster for a player who is not recorded.',
    charId: 'Id of the present character.',
    recorded: 'False for a player whom only the roster of the world has under the nick or id.',
    history: 'Rows of the ledger about the game id, oldest first; the newest 100.',
    historyTotal: 'Number of these rows.',
    charIdChanges: 'Moments at which the id of the character changed, oldest first; the newest 100.',
    charIdChangesTotal: 'Number of these changes.',
    otherGameIds: 'Other game ids that had the nick, the latest first; at most 100.',
    otherGameIdsTotal: 'Number of these ids.',
  },
  PlayerNick: {
    nick: 'Nick from `since` on.',
    charId: 'Id of the character from `since` on.',
    since: 'Day, or instant with its offset, as the ledger has it.',
  },
  CharIdChange: {
    from: 'Id of the character before.',
    to: 'Id of the character from `since` on.',
    since: 'Day, or instant with its offset, as the ledger has it.',
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
