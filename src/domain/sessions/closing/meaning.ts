import * as t from 'io-ts'
import { EntityType } from '#protocol/atoms.js'

const Block = { heading: t.string, type: EntityType } as const

/**
 * The meaning of a session's effects when it was closed, stored as `meaning` in its row of the close ledger
 * (D61, D62, D66). A name that meant no block is not recorded, because its effect has no block yet.
 */
export const Meaning = t.intersection(
  [
    t.type({
      /** SHA-256 of Zmiany, Transfer, PU and Intel at close. */
      effects: t.string,
      /** The blocks named by Zmiany and by the sides of Transfers, by the name as written. */
      blocks: t.readonlyArray(t.type({ name: t.string, ...Block })),
      /** The owners that `@należy_do` of Zmiany named; `of` is the type of the owned block. */
      owners: t.readonlyArray(t.type({ name: t.string, of: EntityType, ...Block })),
      /** The purse on a side of a Transfer; `denomination` is the canonical name. */
      purses: t.readonlyArray(t.type({ name: t.string, denomination: t.string, heading: t.string })),
      /** The recipients of each Intel target. */
      recipients: t.readonlyArray(t.type({ target: t.string, blocks: t.readonlyArray(t.type(Block)) })),
    }),
    t.partial({
      /** Names, as written, that meant several blocks: their effects never apply. Older rows lack it. */
      several: t.readonlyArray(t.string),
    }),
  ],
  'Meaning',
)
export type Meaning = t.TypeOf<typeof Meaning>
