import { createHash } from 'node:crypto'
import { nfc } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { SessionCopy } from '../session.js'

/** The blocks of a session that take effect when it is closed. */
export type Effects = Pick<SessionCopy, 'changes' | 'transfers' | 'points' | 'intel'>

export const noEffects: Effects = { changes: [], transfers: [], points: [], intel: [] }

/** The effects as one text, without line numbers: moving a session within its file does not change it. */
export const effectsText = ({ changes, transfers, points, intel }: Effects): string =>
  nfc(
    JSON.stringify([
      changes.map(({ entity, tags }) => [entity, tags.map(({ tag, value }) => [tag, value])]),
      transfers.map(({ amount, denomination, source, destination }) => [
        amount,
        denomination,
        source,
        destination,
      ]),
      points.map(({ character, value }) => [character, value]),
      intel.map(({ target, message }) => [target, message]),
    ]),
  )

/** SHA-256 of the effects, 64 hex digits; computed once for each value. */
export const effectsHash = perValue((effects: Effects): string =>
  createHash('sha256').update(effectsText(effects), 'utf8').digest('hex'),
)
