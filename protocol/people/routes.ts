import { DayOrInstantText, StatusText, windowQuery } from '#protocol/query.js'
import { read, type Table } from '#protocol/route.js'
import { CharacterInfo, Postac, Postacie } from './character.js'
import { ChannelCensus, ChannelPair, ContributorFindings, Gracz, Roster } from './person.js'

/** People and characters (A 4.6). Literal rows must come before `{name}`. */
export const peopleRoutes = {
  'people.list': read({
    path: '/people',
    summary: 'The people whose game id is open today, in the order of the contributor store.',
    capability: 'player.read',
    query: { ...windowQuery },
    answers: { 200: Roster },
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
    summary: 'The channel where a Gracz is told of things.',
    capability: 'player.read',
    query: {},
    answers: { 200: ChannelPair },
    refusals: ['PersonNotFound'],
    source: 'A 4.6',
    example: { path: { name: 'Brzoza' } },
  }),
  'characters.get': read({
    path: '/characters/{name}',
    summary:
      'One Postać with its state on a day; a name that belongs to a player is 404 and says where to look.',
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
    summary:
      'What is not in order in the contributor store; an error there is content, not a failed request.',
    capability: 'player.read',
    query: { ...windowQuery },
    answers: { 200: ContributorFindings },
    refusals: [],
    source: 'A 4.6',
    example: { query: { limit: '5', offset: '0' } },
  }),
} as const satisfies Table
