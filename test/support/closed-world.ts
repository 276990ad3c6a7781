import { nameKey } from '#protocol/atoms.js'
import { treeOfFiles } from '#src/domain/adoption/legacy/manifest.js'
import { quantityOn } from '#src/domain/entities/entity.js'
import { ledgerKeyOf } from '#src/domain/lore/session-header.js'
import { closeLedgerPath } from '#src/domain/sessions/effects/closed-sessions.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { closingGroundOf, recordMeanings } from '#test/support/at-once.js'
import { day, sourceFile } from './world.js'

type Texts = Readonly<Record<string, string>>

const groundOf = (texts: Texts) =>
  closingGroundOf(treeOfFiles(Object.entries(texts).map(([path, text]) => sourceFile(path, text))))

/** A row of the close ledger, with the fields of a close. */
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

/** The texts with every session closed, with its meaning recorded or, as in older ledgers, not. */
export const closeSessions = (texts: Texts, recorded: boolean): Texts => {
  const ground = groundOf(texts)
  const keys = new Set(ground.sessions.all.map(ledgerKeyOf))
  const meanings = recorded ? recordMeanings(ground, keys) : new Map<string, unknown>()
  const rows = ground.sessions.all.map(session => rowOf(session.header, meanings.get(ledgerKeyOf(session))))
  return { ...texts, [closeLedgerPath]: `${rows.join('\n')}\n` }
}

const purses = `### Korony Anny
- @typ: Przedmiot
- @należy_do: Anna
- @generyczne_nazwy: Korony Elanckie
- @ilość: 100

### Korony Skarbca
- @typ: Przedmiot
- @należy_do: Skarbiec
- @generyczne_nazwy: Korony Elanckie
- @ilość: 0
`

/** An index in which Anna has 100 korony and Skarbiec none; `blocks` are these two and further ones. */
export const indexWithPurses = (...blocks: ReadonlyArray<string>): string => [...blocks, purses].join('\n')

/**
 * A session in which Anna, by any of her names, pays Skarbiec 60 of them, with lists before and after the
 * payment.
 */
export const payment = (payer = 'Anna', { before = '', after = '' } = {}): string =>
  `### 2025-03-01, Zapłata, Solmyr\n\n${before}- @Transfer: 60 koron, ${payer} -> Skarbiec\n${after}`

/** The amount of a purse in 2026; null where there is none. */
export const purseOf = ({ entities }: Snapshot, name = 'Korony Anny'): number | null => {
  const item = entities.byHeading.get(nameKey(name))?.find(one => one.type === 'Przedmiot')
  return item === undefined ? null : quantityOn(item, day('2026-06-15'))
}
