import { closingGroundOf } from '#src/admin/adoption/adopted-view.js'
import { treeOf } from '#src/admin/adoption/sources.js'
import { closeLedgerPath } from '#src/sessions/close-ledger.js'
import { recordMeanings } from '#src/sessions/closing/record-meaning.js'
import { sourceFile } from './world.js'

type Texts = Readonly<Record<string, string>>

const groundOf = (texts: Texts) =>
  closingGroundOf(treeOf(Object.entries(texts).map(([path, text]) => sourceFile(path, text))))

/** A row of the close ledger, with the fields that a close writes. */
const rowOf = (header: string, meaning: unknown): string =>
  JSON.stringify({
    header,
    op: 'close',
    at: '2026-01-01T00:00:00Z',
    by: 'test',
    source: 'close',
    transfers: [],
    intel: [],
    ...(meaning === undefined ? {} : { meaning }),
  })

/** The texts with every session closed as the world stands, its meaning recorded or, as before, not. */
export const closedTexts = (texts: Texts, recorded: boolean): Texts => {
  const ground = groundOf(texts)
  const keys = new Set(ground.sessions.all.map(session => session.key))
  const meanings = recorded ? recordMeanings(ground, keys) : new Map<string, unknown>()
  const rows = ground.sessions.all.map(({ header, key }) => rowOf(header, meanings.get(key)))
  return { ...texts, [closeLedgerPath]: `${rows.join('\n')}\n` }
}
