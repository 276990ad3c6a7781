import { matchingBody, namingBody } from '#protocol/bounds.js'
import { type Table, write } from '#protocol/route.js'
import { Created, CreatePreview, DeleteAnswer, TagPatch, UpdateAnswer } from '../entities/write.js'
import { CharacterCreate, InfoAnswer, InfoChange, InfoEntry, InfoRemoval } from './character-write.js'

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
