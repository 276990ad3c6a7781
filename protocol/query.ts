import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import {
  type ChangeCursor,
  candidatesMax,
  cursorOf,
  cursorPattern,
  type Day,
  Directive,
  dayOf,
  distanceMax,
  EntityType,
  entityTypes,
  GameId,
  isNick,
  modelSurfaces,
  pathOf,
  type RepoPath,
  Status,
  statuses,
  tiers,
} from './atoms.js'
import { deliveryOperations } from './chat/platform.js'
import type { Window } from './list.js'

const fromText = <A>(name: string, read: (text: string) => A | undefined): t.Type<A, unknown, unknown> =>
  new t.Type<A, unknown, unknown>(
    name,
    (u): u is A => u !== undefined,
    (u, c) => {
      const value = typeof u === 'string' ? read(u) : undefined
      return value === undefined ? t.failure(u, c) : t.success(value)
    },
    t.identity,
  )

export const Text = fromText('Text', text => text)
/** A name that is not blank. */
export const NameText = fromText('Name', text => (text.trim() === '' ? undefined : text))
export const PathText = fromText<RepoPath>('Path', text => pathOf(text) ?? undefined)
export const Flag = fromText('Flag', text => (text === 'true' ? true : text === 'false' ? false : undefined))
export const DayText = fromText<Day>('Day', text => dayOf(text) ?? undefined)
/** An instant in milliseconds since 1970. Its civil day depends on the zone of the host. */
export interface AskedInstant {
  readonly epochMs: number
}
/** A value of `activeOn`: a civil day, or an instant. */
export type DayOrInstant = Day | AskedInstant

const dayMs = 86_400_000

const utcDayOf = (epochMs: number): Day | null => dayOf(new Date(epochMs).toISOString().slice(0, 10))

const instant = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:[0-5]\d)$/

/**
 * Parses an ISO-8601 instant with its offset; undefined for a day that no month has, and when its day may, in some
 * zone, be outside the years 1 to 9999.
 */
const instantIn = (text: string): AskedInstant | undefined => {
  const day = instant.exec(text)?.[1]
  if (day === undefined || dayOf(day) === null) return undefined
  const epochMs = Date.parse(text)
  if (Number.isNaN(epochMs)) return undefined
  return utcDayOf(epochMs - dayMs) === null || utcDayOf(epochMs + dayMs) === null ? undefined : { epochMs }
}

/** A day `YYYY-MM-DD`, or an ISO instant with its offset. */
export const DayOrInstantText = fromText<DayOrInstant>('DayOrInstant', text => dayOf(text) ?? instantIn(text))

const keyOf = <A>(name: string, codec: t.Type<A, unknown, unknown>): t.Type<A, unknown, unknown> =>
  fromText(name, text => {
    const decoded = codec.decode(text)
    return isLeft(decoded) ? undefined : decoded.right
  })

export const EntityTypeText = keyOf('EntityType', EntityType)
export const StatusText = keyOf('Status', Status)

export const DirectiveText = keyOf('Directive', Directive)
/** Where the next page of changes begins. */
export const CursorText = fromText<ChangeCursor>('Cursor', cursorOf)

/** A nick in the game, present or past. */
export const NickText = fromText('Nick', text => (isNick(text) ? text : undefined))
export const GameIdText = keyOf('GameId', GameId)

/**
 * `limit` of a windowed list: unparseable or negative means the whole set, echoed as null (A 2.1, D25). Never
 * refused.
 */
export const LimitText = fromText<number | null>('Limit', text =>
  /^\d{1,9}$/.test(text) ? Number(text) : null,
)
/** `limit` of a page with a maximum: unparseable or negative means the default of the row. Never refused. */
export const PageLimitText = fromText<number | null>('PageLimit', text =>
  /^\d{1,9}$/.test(text) ? Number(text) : null,
)
/** `offset` of a windowed list: negative or unparseable means 0 (A 2.1). Never refused. */
export const OffsetText = fromText<number>('Offset', text => (/^\d{1,9}$/.test(text) ? Number(text) : 0))

const textOf = (name: string) => fromText(name, text => text)

const keyText = <A extends string>(name: string, values: ReadonlyArray<A>): t.Type<A, unknown, unknown> =>
  fromText(name, text => values.find(value => value === text))

const grades = ['confirmed', 'measured', 'proposed'] as const
const origins = ['human', 'model'] as const
const splits = ['train', 'eval'] as const
const exportFormats = ['json', 'stamp'] as const

/** Filters of fine-tuning samples, and what an export is asked for. */
export const SetText = textOf('TuningSet')
export const GradeText = keyText('TuningGrade', grades)
export const OriginText = keyText('TuningOrigin', origins)
export const SplitText = keyText('TuningSplit', splits)
export const FormatText = keyText('TuningFormat', exportFormats)

/** Parameters of search: their handler judges them, because each fault has an error of its own (B 7). */
export const searchTexts = {
  q: textOf('SearchWords'),
  scope: textOf('SearchScope'),
  kind: textOf('SearchKind'),
  diegesis: textOf('SearchDiegesis'),
  day: textOf('SearchDay'),
}

/** Filters of labelled samples: their handler judges them, because their fault has an error of its own (B 7). */
export const sampleTexts = {
  class: textOf('SampleClass'),
  grade: textOf('SampleGrades'),
  entity: textOf('SampleEntity'),
}

/** A surface of models: the handler judges it, because its fault has an error of its own (B 7). */
export const SurfaceText = textOf('Surface')

/** A number of an event or a record; the page lies before or after it. */
export const SequenceText = fromText<number>('Sequence', text =>
  /^\d{1,15}$/.test(text) ? Number(text) : undefined,
)

/** What a parameter accepts: in words (`wants`), and as far as JSON Schema can express it. */
interface QueryKind {
  readonly wants: string
  readonly values?: ReadonlyArray<string>
  readonly format?: string
  readonly pattern?: string
}

const oneOf = (values: ReadonlyArray<string>): QueryKind => ({ wants: `one of ${values.join(', ')}`, values })

/** Every kind of parameter by the name of its codec; refusals and the reference use these texts. */
export const queryKinds: Readonly<Record<string, QueryKind>> = {
  Text: { wants: 'a text' },
  Name: { wants: 'a name that is not blank', pattern: '\\S' },
  Nick: { wants: 'a nick: one line of at most 200 visible characters', pattern: '\\S' },
  GameId: { wants: 'a game id: one line of at most 64 visible characters', pattern: '\\S' },
  Path: { wants: 'a path inside the repository' },
  Flag: { wants: 'true or false', values: ['true', 'false'] },
  Day: { wants: 'a day YYYY-MM-DD', format: 'date' },
  DayOrInstant: { wants: 'a day YYYY-MM-DD or an ISO-8601 instant with its offset (`+` written as %2B)' },
  EntityType: oneOf(entityTypes),
  Status: oneOf(statuses),
  Month: { wants: 'a month YYYY-MM', pattern: '^\\d{4}-(0[1-9]|1[0-2])$' },
  Directive: oneOf(['Grupa', 'Lokacja', 'Direct']),
  DeliveryOperation: oneOf(Object.keys(deliveryOperations)),
  Cursor: { wants: 'the `next` of a page before', pattern: cursorPattern },
  AskedName: { wants: 'a name that is not blank', pattern: '\\S' },
  CandidateCount: { wants: `a whole number from 1 to ${candidatesMax}` },
  SpellingDistance: { wants: `a whole number from 0 to ${distanceMax}` },
  SearchWords: { wants: 'a text of at most 1,000 characters', pattern: '\\S' },
  SearchScope: { wants: `all, or a list of ${tiers.join(', ')} with commas` },
  SearchKind: oneOf(tiers),
  SearchDiegesis: oneOf(['in-game', 'out-of-game', 'mixed']),
  Surface: oneOf(modelSurfaces),
  SearchDay: { wants: 'a day YYYY-MM-DD', format: 'date' },
  SampleClass: { wants: 'a registered class of samples' },
  SampleGrades: { wants: 'a list of confirmed, measured, proposed with commas' },
  SampleEntity: { wants: 'a heading or alias of the index' },
  TuningSet: { wants: 'a set of `sets.json`' },
  TuningGrade: oneOf(grades),
  TuningOrigin: oneOf(origins),
  TuningSplit: oneOf(splits),
  TuningFormat: oneOf(exportFormats),
  Outerior: oneOf(['tak', 'nie', 'true', 'false']),
  Limit: { wants: 'a whole number; anything else is the whole set, and never refused' },
  PageLimit: { wants: 'a whole number; anything else is the page that the summary tells, and never refused' },
  Offset: { wants: 'a whole number; anything else is 0, and never refused' },
  Sequence: { wants: 'a whole number from 0', pattern: '^\\d{1,15}$' },
}

export const windowQuery = { limit: LimitText, offset: OffsetText } as const

/** The part of a list that a query asks for. `named` is false when it has neither `limit` nor `offset`. */
export const windowOf = (query: {
  readonly limit: number | null | undefined
  readonly offset: number | undefined
}): Window => ({
  named: query.limit !== undefined || query.offset !== undefined,
  limit: query.limit ?? null,
  offset: query.offset ?? 0,
})
