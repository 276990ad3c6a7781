import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

/** More combining marks in a row than any writing has (the stream-safe limit of Unicode is 30). */
const manyMarks = /\p{M}{31}/u

/**
 * The NFC form of a text. A text with longer runs of combining marks than any writing stays as it is, because
 * composing such a run costs the square of its length.
 */
export const nfc = (text: string): string => (manyMarks.test(text) ? text : text.normalize('NFC'))

/**
 * The text without runs of more than 30 combining marks, which no writing has. What is left is composed and
 * decomposed in a time that grows with its length, not with the square of a run.
 */
export const dropLongMarks = (text: string): string =>
  manyMarks.test(text) ? text.replace(/\p{M}{31,}/gu, '') : text

/**
 * Whether a text has an invisible character: a mark of direction, a joiner, a filler, a line separator, or
 * half of a surrogate pair. In a name it makes the name look like another one, or turns the direction of the
 * text after it.
 */
export const hasHiddenCharacter = (text: string): boolean =>
  /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(text)

/** Whether no character of a text shows: it is empty, or has nothing but blanks and characters of no shape. */
export const isBlank = (text: string): boolean =>
  /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb\u{1d159}]*$/u.test(text)

const charsMax = 256

/** Whether every character of a text shows, or is a blank: it has no control and no invisible character. */
export const isVisible = (text: string): boolean => !/\p{Cc}/u.test(text) && !hasHiddenCharacter(text)

/** A text of another machine that this host shows: of at most 256 characters that show. */
export const VisibleText = t.refinement(
  t.string,
  text => text.length <= charsMax && isVisible(text),
  'VisibleText',
)

interface NameKeyBrand {
  readonly NameKey: unique symbol
}

/**
 * The common form of the spellings of one name: as `foldSigns`, in lower case (D11). Only `nameKey` creates it.
 */
export type NameKey = t.Branded<string, NameKeyBrand>

const blanks = /[\s\u00a0]+/gu
/** Characters that do not show: zero-width ones, soft hyphens, joiners, marks of direction, U+FEFF. */
const unseen = /\p{Default_Ignorable_Code_Point}/gu
/** Characters that look like `'`. */
const apostrophes =
  /[`\u00b4\u02b9\u02bb-\u02bd\u02c8\u02ca\u02cb\u2018\u2019\u201b\u2032\u2035\uff07\uff40]/gu
/** Characters that look like `-`. A longer dash counts only inside a word: between blanks it parts a text. */
const hyphens = /[\u2010-\u2012\ufe63\uff0d]|(?<=\S)[\u2013\u2212](?=\S)/gu
/** A name that `foldSigns` does not change: most names are such. */
const plainName = /^[!-_a-~ĄąĆćĘęŁłŃńÓóŚśŹźŻż]+(?: [!-_a-~ĄąĆćĘęŁłŃńÓóŚśŹźŻż]+)*$/u

/** The first character of a name that `foldSigns` drops, or replaces by an apostrophe or hyphen; null without one. */
export const foldableIn = (name: string): string | null => {
  if (plainName.test(name)) return null
  const places = [unseen, apostrophes, hyphens].map(signs => name.search(signs)).filter(at => at >= 0)
  const code = name.codePointAt(Math.min(...places))
  return places.length === 0 || code === undefined ? null : String.fromCodePoint(code)
}

/** Whether a UTF-16 code unit is an apostrophe, or looks like one. */
export const isApostrophe = (code: number): boolean =>
  code === 0x27 || (code > 0x5f && String.fromCharCode(code).search(apostrophes) === 0)

/** The text without characters that do not show. */
export const dropUnseen = (text: string): string => text.replace(unseen, '')

/**
 * A text in which characters that look alike are one: NFC, without characters that do not show, with one kind of
 * apostrophe, hyphen and blank, and trimmed. Names and headers that differ in nothing else are the same.
 */
export const foldSigns = (text: string): string =>
  plainName.test(text)
    ? text
    : nfc(dropUnseen(text)).replace(blanks, ' ').trim().replace(apostrophes, "'").replace(hyphens, '-')

/** The key of a name: `foldSigns`, lower case by the root locale. */
export const nameKey = (text: string): NameKey => foldSigns(text).toLowerCase() as NameKey

interface RepoPathBrand {
  readonly RepoPath: unique symbol
}

/** Whether a text has a control character. */
export const hasControl = (text: string): boolean => {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}

/** Characters that the file system of macOS leaves out of names. */
const leftOut = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/**
 * Whether some system takes the name for `.git`, as git itself judges it: in any case, with dots, blanks or a stream at
 * its end, or by its short name on Windows.
 */
const isGitFolder = (name: string): boolean => /^(\.git|git~1)[. ]*(:|$)/i.test(name)

const isRepoPath = (text: string): boolean =>
  text.length > 0 &&
  !hasControl(text) &&
  !text.startsWith('/') &&
  !text.includes('\\') &&
  !text.includes('//') &&
  text.split('/').every(part => part !== '' && part !== '.' && part !== '..') &&
  !text.replace(leftOut, '').split('/').some(isGitFolder)

/** A path inside the lore repository: relative, `/` separated, never leaving the root, never into `.git`. */
export const RepoPath = t.brand(
  t.string,
  (text): text is t.Branded<string, RepoPathBrand> => isRepoPath(text),
  'RepoPath',
)
export type RepoPath = t.TypeOf<typeof RepoPath>

/**
 * A tree that a host writes: the lore, or a checkout that `corpora.logi`, `corpora.adnotacje` or `corpora.probki` names
 * (docs/spec/trees.md#tree-written).
 */
export const Tree = t.keyof({ lore: null, logi: null, adnotacje: null, probki: null }, 'Tree')
export type Tree = t.TypeOf<typeof Tree>

/** A tree other than the lore, by the end of its key `corpora.*`. */
export type FurtherTree = Exclude<Tree, 'lore'>

/** Every tree other than the lore, in the order in which a host takes them. */
export const furtherTrees: ReadonlyArray<FurtherTree> = ['logi', 'adnotacje', 'probki']

/** The path in a text; null when it is none. */
export const pathOf = (text: string): RepoPath | null => {
  const path = RepoPath.decode(text)
  return isLeft(path) ? null : path.right
}

/** A path that the code names itself. Throws when it is invalid. */
export const requirePath = (text: string): RepoPath => {
  const path = pathOf(text)
  if (path === null) throw new Error(`not a repository path: ${text}`)
  return path
}

interface DayBrand {
  readonly Day: unique symbol
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

const daysIn = (year: number, month: number): number => {
  if (month === 2) return isLeap(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

const isDay = (text: string): boolean => {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (found === null) return false
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])]
  return year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

/** A civil day `YYYY-MM-DD` that exists. Days compare as text. */
export const Day = t.brand(t.string, (text): text is t.Branded<string, DayBrand> => isDay(text), 'Day')
export type Day = t.TypeOf<typeof Day>

/** The day in a text; null when there is no such day. */
export const dayOf = (text: string): Day | null => {
  const decoded = Day.decode(text)
  return isLeft(decoded) ? null : decoded.right
}

/** Last day of a month as a number, also in leap years. `month` is 1 to 12. */
export const lastDayOfMonth = daysIn

interface MonthBrand {
  readonly Month: unique symbol
}

/** A calendar month `YYYY-MM`. Months compare as text. */
export const Month = t.brand(
  t.string,
  (text): text is t.Branded<string, MonthBrand> => /^\d{4}-(0[1-9]|1[0-2])$/.test(text),
  'Month',
)
export type Month = t.TypeOf<typeof Month>

interface InstantBrand {
  readonly Instant: unique symbol
}

/** Whether the day is on the calendar: `Date.parse` takes 31 June for 1 July. */
const isOnCalendar = (text: string): boolean => {
  const epochMs = Date.parse(text)
  return !Number.isNaN(epochMs) && new Date(epochMs).toISOString().startsWith(text.slice(0, 19))
}

/** An ISO-8601 UTC instant as `Date.prototype.toISOString` writes it. */
export const Instant = t.brand(
  t.string,
  (text): text is t.Branded<string, InstantBrand> =>
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/.test(text) && isOnCalendar(text),
  'Instant',
)
export type Instant = t.TypeOf<typeof Instant>

/** The instant of a time in milliseconds since 1970. */
export const instantOf = (epochMs: number): Instant => new Date(epochMs).toISOString() as Instant

interface CommitBrand {
  readonly CommitId: unique symbol
}
interface BlobBrand {
  readonly BlobId: unique symbol
}

const isObjectId = (text: string): boolean => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)

/** A full commit id (D27). */
export const CommitId = t.brand(
  t.string,
  (text): text is t.Branded<string, CommitBrand> => isObjectId(text),
  'CommitId',
)
export type CommitId = t.TypeOf<typeof CommitId>

/** The content id of a file: git's blob id, also when a plain directory is served. */
export const BlobId = t.brand(
  t.string,
  (text): text is t.Branded<string, BlobBrand> => isObjectId(text),
  'BlobId',
)
export type BlobId = t.TypeOf<typeof BlobId>

interface SnowflakeBrand {
  readonly Snowflake: unique symbol
}

/** An id of the chat platform: a whole number of 64 bits, as text because it does not fit a JSON number. */
export const Snowflake = t.brand(
  t.string,
  (text): text is t.Branded<string, SnowflakeBrand> =>
    /^[1-9]\d{0,19}$/.test(text) && BigInt(text) < 2n ** 64n,
  'Snowflake',
)
export type Snowflake = t.TypeOf<typeof Snowflake>

/**
 * The eight entity types, in the order of `entityTypes` of `GET /schema` (A 2.8); it also ranks homonyms
 * (D12).
 */
export const entityTypes = [
  'NPC',
  'Grupa',
  'Lokacja',
  'Mapa',
  'Gracz',
  'Postać',
  'Przedmiot',
  'Region',
] as const
export type EntityType = (typeof entityTypes)[number]
export const EntityType = t.keyof(
  {
    NPC: null,
    Grupa: null,
    Lokacja: null,
    Mapa: null,
    Gracz: null,
    Postać: null,
    Przedmiot: null,
    Region: null,
  },
  'EntityType',
)

/** Entity statuses (A 2.8, B 3). `Niepewny`: existence or identity unconfirmed. */
export const statuses = ['Aktywny', 'Nieaktywny', 'Usunięty', 'Niepewny'] as const
export type Status = (typeof statuses)[number]
export const Status = t.keyof({ Aktywny: null, Nieaktywny: null, Usunięty: null, Niepewny: null }, 'Status')

/** Session generations (FORMATS 4.2). */
export const Generation = t.keyof({ Gen1: null, Gen2: null, Gen3: null, Gen4: null }, 'Generation')
export type Generation = t.TypeOf<typeof Generation>

/**
 * A place in the history of `head`: the number of commits to skip, then of files in the next one, then of
 * changes in that file.
 */
export interface ChangeCursor {
  readonly head: CommitId
  readonly skip: number
  readonly file: number
  readonly item: number
}

const pattern = /^[0-9a-f]{40}([0-9a-f]{24})?(\.\d{1,9}){3}$/

export const cursorPattern = pattern.source

export const cursorText = ({ head, skip, file, item }: ChangeCursor): string =>
  `${head}.${skip}.${file}.${item}`

/** Parses a cursor; undefined when the text is none. */
export const cursorOf = (text: string): ChangeCursor | undefined => {
  if (!pattern.test(text)) return undefined
  const [id, skip, file, item] = text.split('.')
  const head = CommitId.decode(id)
  return isLeft(head)
    ? undefined
    : { head: head.right, skip: Number(skip), file: Number(file), item: Number(item) }
}

/**
 * What the target of an Intel entry names: a group, a place with all places in it, or the recipients
 * themselves.
 */
export const Directive = t.keyof({ Grupa: null, Lokacja: null, Direct: null }, 'Directive')
export type Directive = t.TypeOf<typeof Directive>

const textOf = (name: string, isOne: (text: string) => boolean): t.Type<string, string, unknown> =>
  new t.Type<string, string, unknown>(
    name,
    (u): u is string => typeof u === 'string' && isOne(u),
    (u, context) => (typeof u === 'string' && isOne(u) ? t.success(u) : t.failure(u, context)),
    t.identity,
  )

/**
 * An id of the chat, of an account, a guild or a role: letters, digits and `_.-`, 64 at most
 * (docs/spec/chat-workflows.md#a-4-4).
 */
export const ChatId = textOf('ChatId', text => /^[0-9A-Za-z_.-]{1,64}$/.test(text))

/** An id of the game as a person enters it: one line of at most 64 visible characters. */
export const GameId = textOf(
  'GameId',
  text => text.trim() !== '' && text.length <= 64 && !/[\p{C}\u2028\u2029]/u.test(text),
)

/** Limits of the rows of names, also shown in the reference. */

/** A longer text is the name of nothing. */
export const nameCharsMax = 400
/** A longer `within` names no place: it may be a path of several names. */
export const withinCharsMax = 1_000
/** Queries of one batch. */
export const queriesMax = 10_000
/** Candidates of one resolved name, and how many there are without `topN`. */
export const candidatesMax = 200
export const candidatesShown = 20
/** The largest spelling distance of the fuzzy stage. */
export const distanceMax = 3
/** Page of a search of entities: without `limit`, and the largest. */
export const searchPageShown = 50
export const searchPageMax = 200

/** The tiers of search, each an index of its own (B 4.4), in the order in which answers name them. */
export const tiers = ['lore', 'session', 'speech', 'external'] as const
export type Tier = (typeof tiers)[number]
export const Tier = t.keyof({ lore: null, session: null, speech: null, external: null }, 'Tier')

/** The packages that rank: wink-bm25-text-search, and FTS5 of SQLite. */
export type SearchEngine = 'wink' | 'fts5'
export const SearchEngine = t.keyof({ wink: null, fts5: null }, 'SearchEngine')

const nickCharsMax = 200

/** Whether a text can be a nick in the game: one line of at most 200 visible characters. */
export const isNick = (text: unknown): text is string =>
  typeof text === 'string' &&
  text.length <= nickCharsMax &&
  text.trim() !== '' &&
  !/[\p{C}\u2028\u2029]/u.test(text)

/** The most entries of each list of an answer of `/players/resolve`; the newest are listed. */
export const playerListMax = 100

const PlayerNick = t.type({ nick: t.string, charId: t.string, since: t.string }, 'PlayerNick')

const CharIdChange = t.type({ from: t.string, to: t.string, since: t.string }, 'CharIdChange')

/**
 * A player by a nick or a game id (A 4.6.5). `recorded` is false for a player whom only the roster of the
 * world has.
 */
export const ResolvedPlayer = t.type(
  {
    gameId: t.string,
    nick: t.string,
    currentNick: t.string,
    charId: t.string,
    recorded: t.boolean,
    history: t.readonlyArray(PlayerNick),
    historyTotal: t.number,
    charIdChanges: t.readonlyArray(CharIdChange),
    charIdChangesTotal: t.number,
    otherGameIds: t.readonlyArray(t.string),
    otherGameIdsTotal: t.number,
  },
  'ResolvedPlayer',
)
export type ResolvedPlayer = t.TypeOf<typeof ResolvedPlayer>

/** Every capability id of A 5, in its order. Grammar `<resource>.<action>` with optional `.own`. */
export const capabilities = [
  'entity.read',
  'entity.write',
  'sample.confirm',
  'lore.edit',
  'docs.edit',
  'player.read',
  'player.restricted.read',
  'player.write',
  'player.write.own',
  'player.declare.own',
  'session.read',
  'session.write',
  'session.close',
  'session.report',
  'session.distribute',
  'pu.award',
  'pu.read',
  'pu.read.own',
  'workflow.settle',
  'workflow.map_checkup',
  'chat.dispatch',
  'chat.send',
  'fleet.read',
  'fleet.takeover',
  'fleet.announce',
  'derive.read',
  'session-registry.regenerate',
  'currency.read',
  'currency.read.own',
  'currency.write',
  'economy.read',
  'governance.read',
  'governance.write',
  'location.override',
  'identity.read',
  'identity.link',
  'capability.read',
  'capability.admin',
  'token.manage',
  'apikey.manage',
  'apikey.manage.own',
  'log.read',
  'external.read',
  'log.fetch',
  'log.fetch.request',
  'events.subscribe',
  'sync.read',
  'sync.run',
  'keyring.read',
  'keyring.admin',
  'moderation.read',
  'moderation.write',
  'moderation.admin',
  'moderation.export',
  'regulation.write',
  'sejf.read',
  'recovery.read',
  'ci.act',
  'ci.trace',
  'admin.mode',
  'admin.shutdown',
  'admin.index',
  'admin.migrate',
  'admin.all',
] as const

export type CapabilityId = (typeof capabilities)[number]

const known: ReadonlySet<string> = new Set(capabilities)

export const isCapabilityId = (text: string): text is CapabilityId => known.has(text)

export const CapabilityId = new t.Type<CapabilityId, string, unknown>(
  'CapabilityId',
  (u): u is CapabilityId => typeof u === 'string' && isCapabilityId(u),
  (u, c) => (typeof u === 'string' && isCapabilityId(u) ? t.success(u) : t.failure(u, c)),
  t.identity,
)

/** What models propose on. The first is that of a request that names none. */
export const modelSurfaces = ['governance-transitions', 'speaker-vs-narration', 'claims'] as const
export const ModelSurface = t.keyof(
  { 'governance-transitions': null, 'speaker-vs-narration': null, claims: null },
  'ModelSurface',
)
export type ModelSurface = t.TypeOf<typeof ModelSurface>
