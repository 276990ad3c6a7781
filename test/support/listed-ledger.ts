import type { CloseLedger } from '#src/domain/sessions/session.js'

/** A close ledger with lists for its maps and sets, so that a comparison sees their order and not how they are kept. */
export const listedLedger = ({
  entries,
  rows,
  closed,
  distributed,
  transferred,
  recorded,
  meanings,
  findings,
}: CloseLedger) => ({
  ...{ entries, findings },
  rows: [rows.close, rows.distribute, rows.transfer, rows.finalize].map(map => [...map]),
  keys: [closed, distributed, transferred].map(set => [...set]),
  meanings: [recorded.close, recorded.transfer, meanings].map(map => [...map]),
  sizes: [rows.close, rows.distribute, recorded.close, meanings].map(({ size }) => size),
})
