import { numberAt } from '#src/domain/lore/decimal.js'

/** A Transfer: whole pieces of one denomination from one owner to another (FORMATS 4.3). */
export interface TransferLine {
  readonly amount: number
  readonly denomination: string
  readonly source: string
  readonly destination: string
}

/**
 * Parses `N denomination, source -> destination`: N a positive whole number followed by a blank; the first
 * comma ends the denomination. Null when any part is missing.
 */
export const readTransferLine = (text: string): TransferLine | null => {
  const comma = text.indexOf(',')
  if (comma < 0) return null
  const money = text.slice(0, comma).trim()
  const amount = numberAt(money, 0, 'none')
  const sides = text
    .slice(comma + 1)
    .split('->')
    .map(side => side.trim())
  const [source, destination] = sides
  if (amount === null || sides.length !== 2 || !source || !destination) return null
  const denomination = money.slice(amount.end).trim()
  const { units, scale } = amount.value
  return scale > 0 || units <= 0n || denomination === '' || denomination.length > 200
    ? null
    : { amount: Number(units), denomination, source, destination }
}
