import * as t from 'io-ts'
import { Status } from '../atoms.js'
import { matchingBody, namingBody } from '../bounds.js'
import { previewOf } from '../dry-run.js'
import { listOf } from '../list.js'
import { type Table, write } from '../route.js'
import { Created, CreatePreview, DeleteAnswer, TagPatch, TagValues, UpdateAnswer } from './entity-writes.js'

const TextOrNull = t.union([t.string, t.null])
const NumberOrNull = t.union([t.number, t.null])
const Texts = t.readonlyArray(t.string)

const ReputationTier = t.readonlyArray(t.type({ Location: t.string, Detail: TextOrNull }, 'ReputationEntry'))

/**
 * A Postać on a day (A 2.3): its character file, overlaid with its block and with closed sessions (FORMATS
 * 3). PU have two decimals; ZDOBYTE and SUMA are derived when STARTOWE and the other one are known (FORMATS
 * 2.2). `RestrictedTopics` is absent for a caller without `player.restricted.read`.
 */
export const Postac = t.intersection(
  [
    t.type({
      Name: t.string,
      Type: t.literal('Postać'),
      Status,
      Owner: TextOrNull,
      Groups: Texts,
      Location: TextOrNull,
      Aliases: Texts,
      PuStartowe: NumberOrNull,
      PuSuma: NumberOrNull,
      PuZdobyte: NumberOrNull,
      PuNadmiar: NumberOrNull,
      Info: Texts,
      /** URL of the sheet. */
      CharacterSheet: TextOrNull,
      Condition: TextOrNull,
      SpecialItems: Texts,
      Reputation: t.type({ Positive: ReputationTier, Neutral: ReputationTier, Negative: ReputationTier }),
      AdditionalInfo: Texts,
      DescribedSessions: t.readonlyArray(
        t.type({ Date: TextOrNull, Title: t.string, Narrator: TextOrNull }, 'DescribedSession'),
      ),
      /** Path of the character file, null when there is none. */
      CharacterFile: TextOrNull,
      RefFile: TextOrNull,
      RefForm: t.union([t.keyof({ list: null, index: null }), t.null]),
      RefBroken: t.boolean,
      RefBrokenReason: TextOrNull,
      File: t.string,
      Line: t.number,
    }),
    t.partial({ RestrictedTopics: TextOrNull }),
  ],
  'Postac',
)
export type Postac = t.TypeOf<typeof Postac>

export const Postacie = listOf(Postac, 'Postacie')

/** Entries of `Dodatkowe informacje` as in the character file: the text that `match` must equal (A 4.6.8). */
export const CharacterInfo = t.type(
  { character: t.string, file: TextOrNull, count: t.number, items: Texts },
  'CharacterInfo',
)
export type CharacterInfo = t.TypeOf<typeof CharacterInfo>

/** A new Postać; `tags` names its owner by `należy_do` (A 4.6.7). */
const CharacterCreate = t.intersection(
  [t.type({ name: t.string }), t.partial({ tags: TagValues })],
  'CharacterCreate',
)

/** A new entry of `Dodatkowe informacje`, one line. */
const InfoEntry = t.type({ text: t.string }, 'InfoEntry')

/** Another text for an entry; `match` is its present text as `GET` serves it (A 4.6.8). */
const InfoChange = t.type({ match: t.string, text: t.string }, 'InfoChange')

/** An entry to remove; `match` is its text. */
const InfoRemoval = t.type({ match: t.string }, 'InfoRemoval')

const said = {
  file: t.string,
  changed: t.boolean,
  count: t.number,
  items: t.readonlyArray(t.string),
} as const

/** The entries after a write. */
const InfoWritten = t.type({ character: t.string, ...said }, 'InfoWritten')
const InfoPreview = previewOf({ wouldUpdate: t.string, ...said }, 'InfoPreview')
export const InfoAnswer = t.union([InfoWritten, InfoPreview], 'InfoAnswer')
export type InfoAnswer = t.TypeOf<typeof InfoAnswer>

const info = {
  path: '/characters/{name}/info',
  answers: { 200: InfoAnswer },
  source: 'A 4.6.8',
} as const

const ofCharacters = { capability: 'player.write', own: true, query: {} } as const

/** Writes of Postacie (A 4.6). A caller with `player.write.own` writes their own. */
export const charactersWriteRoutes = {
  'characters.create': write({
    ...ofCharacters,
    method: 'POST',
    path: '/characters',
    summary: 'Makes a Postać of a Gracz.',
    body: CharacterCreate,
    bounds: namingBody,
    answers: { 200: CreatePreview, 201: Created },
    refusals: ['BodyInvalid', 'Forbidden', 'BoundExceeded', 'TagUnknown', 'ValueRefused', 'NameTaken'],
    source: 'A 4.6.7, ADR 1026',
    example: { body: { name: 'Nowa Iskra', tags: { należy_do: 'Brzoza' } } },
  }),
  'characters.update': write({
    ...ofCharacters,
    method: 'PATCH',
    path: '/characters/{name}',
    summary: 'Gives one tag of a Postać a value, or ends one; what was dated stays as history.',
    body: TagPatch,
    answers: { 200: UpdateAnswer },
    refusals: [
      'BodyInvalid',
      'Forbidden',
      'CharacterNotFound',
      'AmbiguousName',
      'TagUnknown',
      'ValueRefused',
      'NameTaken',
    ],
    source: 'A 4.6, docs/spec/tag-writes.md#dates, ADR 1026',
    example: { path: { name: 'Wit Kłos' }, body: { tag: 'stan', value: 'Ranny.' } },
  }),
  'characters.delete': write({
    ...ofCharacters,
    method: 'DELETE',
    path: '/characters/{name}',
    summary: 'Deletes a Postać softly: its status is Usunięty from now on.',
    body: null,
    answers: { 200: DeleteAnswer },
    refusals: ['Forbidden', 'CharacterNotFound', 'AmbiguousName'],
    source: 'A 4.6.7',
    example: { path: { name: 'Wit Kłos' } },
  }),
  'characters.info.add': write({
    ...ofCharacters,
    ...info,
    method: 'POST',
    summary: 'Appends an entry to `Dodatkowe informacje`; a Postać without a file gets one.',
    body: InfoEntry,
    refusals: ['Forbidden', 'CharacterNotFound', 'ValueRefused'],
    example: { path: { name: 'Wit Kłos' }, body: { text: 'Boi się burzy.' } },
  }),
  'characters.info.replace': write({
    ...ofCharacters,
    ...info,
    method: 'PUT',
    summary: 'Gives an entry of `Dodatkowe informacje` another text.',
    body: InfoChange,
    bounds: matchingBody,
    refusals: ['Forbidden', 'CharacterNotFound', 'ValueRefused', 'MatchStale'],
    example: { path: { name: 'Wit Kłos' }, body: { match: 'Ma bliznę.', text: 'Ma dwie blizny.' } },
  }),
  'characters.info.remove': write({
    ...ofCharacters,
    ...info,
    method: 'DELETE',
    summary: 'Takes an entry of `Dodatkowe informacje` away.',
    body: InfoRemoval,
    bounds: matchingBody,
    refusals: ['Forbidden', 'CharacterNotFound', 'ValueRefused', 'MatchStale'],
    example: { path: { name: 'Wit Kłos' }, body: { match: 'Ma bliznę.' } },
  }),
} as const satisfies Table
