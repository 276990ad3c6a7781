import * as t from 'io-ts'
import { EntityType } from '#protocol/atoms/vocabulary.js'

const Block = { heading: t.string, type: EntityType } as const

/**
 * What the effects of a session meant when it was closed, in its row of the close ledger as `meaning` (D61, D62, D66).
 *  A name that meant nobody is not recorded: its effect has no block yet.
 */
export const Meaning = t.intersection(
  [
    t.type({
      /** SHA-256 of Zmiany, Transfer, PU and Intel as closed. */
      effects: t.string,
      /** The blocks that Zmiany and the sides of Transfers named, by the name as written. */
      blocks: t.readonlyArray(t.type({ name: t.string, ...Block })),
      /** The owners that `@należy_do` of Zmiany named; `of` is the type of the block that is owned. */
      owners: t.readonlyArray(t.type({ name: t.string, of: EntityType, ...Block })),
      /** The purse that paid or was paid for a side of a Transfer; `denomination` is the canonical name. */
      purses: t.readonlyArray(t.type({ name: t.string, denomination: t.string, heading: t.string })),
      /** Who each Intel target was for. */
      recipients: t.readonlyArray(t.type({ target: t.string, blocks: t.readonlyArray(t.type(Block)) })),
    }),
    t.partial({
      /** The names, as written, that meant several blocks: their effects never apply. Older rows lack it. */
      several: t.readonlyArray(t.string),
    }),
  ],
  'Meaning',
)
export type Meaning = t.TypeOf<typeof Meaning>
