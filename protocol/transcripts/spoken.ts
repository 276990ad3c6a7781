import * as t from 'io-ts'
import { EntityType } from '../atoms.js'
import type { Descriptions } from '../description.js'
import { EntityFetch } from '../lore/entities.js'
import { SearchHit } from '../lore/search.js'
import { DayText, EntityTypeText } from '../query.js'
import { ofHost, type Route, route, type Table } from '../route.js'
import { FoundLogLine, foundLineFields, page, pageFields, pageOf } from './logs.js'

const textOrNull = t.union([t.string, t.null])
const numberOrNull = t.union([t.number, t.null])

/** The subject of an answer; `type` is null for a name that no block answers to. */
const subject = t.type({ entity: t.string, type: t.union([EntityType, t.null]) })

const NameSpan = t.type({ start: t.number, end: t.number, text: t.string }, 'NameSpan')

/** A line whose text has the name of the subject. */
export const NamingLine = t.intersection(
  [FoundLogLine, t.type({ Spans: t.readonlyArray(NameSpan) })],
  'NamingLine',
)
export type NamingLine = t.TypeOf<typeof NamingLine>

const EntityLines = t.intersection([subject, pageOf(FoundLogLine, 'EntityLinePage')], 'EntityLines')

const EntityHits = t.intersection(
  [subject, pageOf(NamingLine, 'EntityHitPage'), t.partial({ totalIsLowerBound: t.literal(true) })],
  'EntityHits',
)

const SpokenNick = t.type({ Nick: t.string, Lines: t.number }, 'SpokenNick')

const said = {
  Lines: t.number,
  Words: t.number,
  Logs: t.number,
  First: textOrNull,
  Last: textOrNull,
  Nicks: t.readonlyArray(SpokenNick),
} as const

/** What the subject said in all. */
const SpeechSums = t.type(said, 'SpeechSums')

const SpokenLog = t.type(
  { Log: t.string, Header: textOrNull, Date: textOrNull, Lines: t.number, Words: t.number },
  'SpokenLog',
)

/** What the subject said, in all and in each transcript. */
const EntitySpeech = t.intersection(
  [subject, t.type({ ...said, count: t.number, items: t.readonlyArray(SpokenLog) })],
  'EntitySpeech',
)
export type EntitySpeech = t.TypeOf<typeof EntitySpeech>

const SceneCompany = t.type(
  { Speaker: t.string, SpeakerResolved: textOrNull, Lines: t.number },
  'SceneCompany',
)

/** A stretch in one place in which the subject spoke. */
export const EntityScene = t.type(
  {
    Log: t.string,
    Header: textOrNull,
    Date: textOrNull,
    Segment: numberOrNull,
    Place: textOrNull,
    PlaceResolved: textOrNull,
    First: t.number,
    Last: t.number,
    From: textOrNull,
    To: textOrNull,
    Lines: t.number,
    Company: t.readonlyArray(SceneCompany),
  },
  'EntityScene',
)
export type EntityScene = t.TypeOf<typeof EntityScene>

const EntityScenes = t.intersection([subject, pageOf(EntityScene, 'EntityScenePage')], 'EntityScenes')

const MentionYear = t.type(
  { year: textOrNull, count: t.number, lines: t.readonlyArray(NamingLine) },
  'MentionYear',
)

const mentions = { total: t.number, years: t.readonlyArray(MentionYear) } as const

const MentionSums = t.type(mentions, 'MentionSums')
export type MentionSums = t.TypeOf<typeof MentionSums>

const EntityMentions = t.intersection([subject, t.type(mentions)], 'EntityMentions')

const DossierSession = t.type(
  { Header: t.string, Date: t.string, Tier: t.keyof({ session: null, speech: null }) },
  'DossierSession',
)

const DossierPlace = t.type(
  {
    Place: textOrNull,
    PlaceResolved: textOrNull,
    Log: t.string,
    Header: textOrNull,
    Date: textOrNull,
    Lines: t.number,
  },
  'DossierPlace',
)

const DossierPassages = t.type(
  { searched: t.readonlyArray(t.string), items: t.readonlyArray(SearchHit) },
  'DossierPassages',
)

/** What the corpus has of a subject, each part as far as the caller may read it. */
export const Dossier = t.intersection(
  [
    subject,
    t.type({
      asOf: t.string,
      Identity: t.union([EntityFetch, t.null]),
      Sessions: t.union([t.readonlyArray(DossierSession), t.null]),
      Speech: SpeechSums,
      Places: t.readonlyArray(DossierPlace),
      Mentions: t.union([MentionSums, t.null]),
      Passages: DossierPassages,
    }),
  ],
  'Dossier',
)
export type Dossier = t.TypeOf<typeof Dossier>

const Orphan = t.type({ name: t.string, logs: t.number, lines: t.number }, 'Orphan')
const OrphanLog = t.type({ log: t.string, lines: t.number }, 'OrphanLog')

/** Names in transcripts that no block answers to, and transcripts that no session cites. */
export const Orphans = t.type(
  {
    speakers: t.readonlyArray(Orphan),
    surfaces: t.readonlyArray(Orphan),
    logs: t.readonlyArray(OrphanLog),
  },
  'Orphans',
)
export type Orphans = t.TypeOf<typeof Orphans>

const days = { from: DayText, to: DayText } as const

/** Columns of a question about an entity to the index of transcripts. */
const question = {
  ...ofHost,
  method: 'GET',
  capability: 'log.read',
  body: null,
  refusals: ['EntityNotFound', 'Starting', 'Overloaded'],
  source: 'B 4.1, docs/spec/transcripts.md#spoken',
} as const satisfies Partial<Route>

const path = { name: 'Wit Kłos' }
const between = { type: 'Postać', from: '2026-01-01', to: '2026-12-31' } as const
const paged = { limit: '5', offset: '0' } as const

/** What was said in the channel `Lokalny`, by whom and where (B 4.1). */
export const spokenRoutes = {
  'entities.lines.list': route({
    ...question,
    path: '/entities/{name}/lines',
    summary: 'What the subject said, or what was said in the place; at most 1,000 lines, 100 unless told.',
    query: { type: EntityTypeText, ...days, ...page },
    answers: { 200: EntityLines },
    example: { path, query: { ...between, ...paged } },
  }),
  'entities.speech.list': route({
    ...question,
    path: '/entities/{name}/speech',
    summary: 'How much the subject said, in all and in each transcript, when, and under which nicks.',
    query: { type: EntityTypeText, ...days },
    answers: { 200: EntitySpeech },
    example: { path, query: between },
  }),
  'entities.scenes.list': route({
    ...question,
    path: '/entities/{name}/scenes',
    summary: 'The scenes in which the subject spoke, with place, span and company; at most 1,000.',
    query: { type: EntityTypeText, ...days, ...page },
    answers: { 200: EntityScenes },
    example: { path, query: { ...between, ...paged } },
  }),
  'entities.hits.list': route({
    ...question,
    path: '/entities/{name}/hits',
    summary: 'Lines of others whose text has the name in any form; at most 1,000, 100 unless told.',
    query: { type: EntityTypeText, ...days, ...page },
    answers: { 200: EntityHits },
    example: { path, query: { ...between, ...paged } },
  }),
  'entities.mentions.get': route({
    ...question,
    path: '/entities/{name}/mentions',
    summary: 'How often others named the subject, by year, with the first five lines of each.',
    query: { type: EntityTypeText },
    answers: { 200: EntityMentions },
    example: { path, query: { type: 'Postać' } },
  }),
  'entities.dossier.get': route({
    ...question,
    path: '/entities/{name}/dossier',
    summary:
      'All that the corpus has of a subject, as of a day; parts that the caller may not read are left out.',
    query: { type: EntityTypeText, asOf: DayText },
    answers: { 200: Dossier },
    example: { path, query: { type: 'Postać', asOf: '2026-06-01' } },
  }),
  'hygiene.orphans.get': route({
    ...question,
    path: '/hygiene/orphans',
    summary:
      'Speakers and surfaces of two or more transcripts that no block answers to, and uncited transcripts.',
    query: {},
    answers: { 200: Orphans },
    refusals: ['Starting', 'Overloaded'],
    source: 'B 4.1, docs/spec/transcripts.md#orphans',
    example: {},
  }),
} as const satisfies Table

const subjectFields = {
  entity: 'Heading of the block, or the name as written where no block answers to it.',
  type: 'Type of the block; null where there is none.',
} as const

const sums = {
  Lines: 'Number of lines.',
  Words: 'Number of words.',
  Logs: 'Number of transcripts.',
  First: 'Day of the first dated transcript.',
  Last: 'Day of the last one.',
  Nicks: 'Speakers as written, the most lines first.',
} as const

const mentionFields = {
  total: 'Number of lines.',
  years: 'Years in order; undated transcripts have the year null and come last.',
} as const

export const spokenDescriptions: Descriptions = {
  NameSpan: {
    start: 'First UTF-16 unit in the text.',
    end: 'Unit behind the last.',
    text: 'Name as it stands there.',
  },
  NamingLine: { ...foundLineFields, Spans: 'Where the name is in the text.' },
  EntityLines: { ...subjectFields, ...pageFields, items: 'Lines, the oldest first.' },
  EntityHits: {
    ...subjectFields,
    ...pageFields,
    items: 'Lines, the oldest first.',
    totalIsLowerBound: 'Present where more lines have the words of the name than are looked at.',
  },
  SpokenNick: { Nick: 'Speaker as written.', Lines: 'Number of lines.' },
  SpeechSums: sums,
  SpokenLog: {
    Log: 'Name of the transcript.',
    Header: 'Earliest session that cites it.',
    Date: 'Day of that session.',
    Lines: 'Number of lines.',
    Words: 'Number of words.',
  },
  EntitySpeech: {
    ...subjectFields,
    ...sums,
    count: 'Number of transcripts.',
    items: 'Transcripts, the oldest first.',
  },
  SceneCompany: {
    Speaker: 'Speaker as written.',
    SpeakerResolved: 'Heading of the block that the speaker means; null where it means none or several.',
    Lines: 'Number of lines in the scene.',
  },
  EntityScene: {
    Log: 'Name of the transcript.',
    Header: 'Earliest session that cites it.',
    Date: 'Day of that session.',
    Segment: 'Place in `LocationSegments`; null before the first heading.',
    Place: 'Heading of the place as written.',
    PlaceResolved: 'Heading of the block of that place; null where no block answers, or several do.',
    First: 'Index of the first line that somebody spoke.',
    Last: 'Index of the last one.',
    From: 'Time of the first line.',
    To: 'Time of the last line.',
    Lines: 'Lines of the subject; of a place, all of them.',
    Company: 'Who else spoke there, the most lines first.',
  },
  EntityScenes: { ...subjectFields, ...pageFields, items: 'Scenes, the oldest first.' },
  MentionYear: {
    year: 'Year of the transcripts; null for undated ones.',
    count: 'Number of lines.',
    lines: 'The first five lines.',
  },
  MentionSums: mentionFields,
  EntityMentions: { ...subjectFields, ...mentionFields },
  DossierSession: {
    Header: 'Header of the session.',
    Date: 'First day of the session.',
    Tier: '`speech` where the subject spoke in a transcript of the session, else `session`.',
  },
  DossierPlace: {
    Place: 'Heading of the place as written; null before the first heading.',
    PlaceResolved: 'Heading of the block of that place.',
    Log: 'Name of the transcript.',
    Header: 'Earliest session that cites it.',
    Date: 'Day of that session.',
    Lines: 'Number of lines of the subject there.',
  },
  DossierPassages: {
    searched: 'Tiers that were searched; empty where the host has no index that the caller may search.',
    items: 'The best hits for the name.',
  },
  Dossier: {
    ...subjectFields,
    asOf: 'Day as of which the corpus is read.',
    Identity: 'The block on that day; null without `entity.read`, and where no block answers.',
    Sessions: 'Sessions of the subject up to that day; null without `session.read`.',
    Speech: 'What the subject said up to that day.',
    Places: 'Where it spoke, one row for each scene.',
    Mentions: 'Who named it; null where the index of mentions is not made yet.',
    Passages: 'Passages of the texts that the caller may search.',
  },
  Orphan: {
    name: 'Name as written.',
    logs: 'Number of transcripts.',
    lines: 'Number of lines.',
  },
  OrphanLog: { log: 'Name of the transcript.', lines: 'Number of lines.' },
  Orphans: {
    speakers: 'Speakers of two or more transcripts that no block answers to.',
    surfaces: 'Names in lines of two or more transcripts that no block answers to.',
    logs: 'Archived transcripts that no session cites.',
  },
}
