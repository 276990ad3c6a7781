import { type Table, write } from '#protocol/route.js'
import { Created, CreatePreview, DeleteAnswer, TagPatch, UpdateAnswer } from '../entities/write.js'
import { CharacterCreate } from './character-write.js'

const ofCharacters = { capability: 'player.write', own: true, query: {} } as const

/** Writes of Postacie (A 4.6); who holds `player.write.own` writes their own. */
export const charactersWriteRoutes = {
  'characters.create': write({
    ...ofCharacters,
    method: 'POST',
    path: '/characters',
    summary: 'Makes a Postać of a Gracz.',
    body: CharacterCreate,
    answers: { 200: CreatePreview, 201: Created },
    refusals: ['BodyInvalid', 'Forbidden', 'TagUnknown', 'ValueRefused', 'NameTaken'],
    source: 'A 4.6.7, ADR 0113',
  }),
  'characters.update': write({
    ...ofCharacters,
    method: 'PATCH',
    path: '/characters/{name}',
    summary: 'Gives one tag of a Postać a value, or ends one; what was dated stays as history.',
    body: TagPatch,
    answers: { 200: UpdateAnswer },
    refusals: ['BodyInvalid', 'Forbidden', 'CharacterNotFound', 'TagUnknown', 'ValueRefused'],
    source: 'A 4.6, ADR 0110, ADR 0113',
  }),
  'characters.delete': write({
    ...ofCharacters,
    method: 'DELETE',
    path: '/characters/{name}',
    summary: 'Deletes a Postać softly: its status is Usunięty from now on.',
    body: null,
    answers: { 200: DeleteAnswer },
    refusals: ['Forbidden', 'CharacterNotFound'],
    source: 'A 4.6.7',
  }),
} as const satisfies Table
