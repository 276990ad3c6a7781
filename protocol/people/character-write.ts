import * as t from 'io-ts'
import { previewOf } from '../dry-run.js'
import { TagValues } from '../entities/write.js'

/** A new Postać; `tags` names its owner by `należy_do` (A 4.6.7). */
export const CharacterCreate = t.intersection(
  [t.type({ name: t.string }), t.partial({ tags: TagValues })],
  'CharacterCreate',
)

/** A new entry of `Dodatkowe informacje`, one line. */
export const InfoEntry = t.type({ text: t.string }, 'InfoEntry')

/** Another text for an entry; `match` is its present text as `GET` serves it (A 4.6.8). */
export const InfoChange = t.type({ match: t.string, text: t.string }, 'InfoChange')

/** An entry to remove; `match` is its text. */
export const InfoRemoval = t.type({ match: t.string }, 'InfoRemoval')

const said = {
  file: t.string,
  changed: t.boolean,
  count: t.number,
  items: t.readonlyArray(t.string),
} as const

/** The entries after a write. */
export const InfoWritten = t.type({ character: t.string, ...said }, 'InfoWritten')
export const InfoPreview = previewOf({ wouldUpdate: t.string, ...said }, 'InfoPreview')
export const InfoAnswer = t.union([InfoWritten, InfoPreview], 'InfoAnswer')
export type InfoAnswer = t.TypeOf<typeof InfoAnswer>
