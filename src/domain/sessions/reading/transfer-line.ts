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
  const money = /^(\d{1,12})\s+(\S.{0,200})$/su.exec(text.slice(0, comma).trim())
  const sides = text
    .slice(comma + 1)
    .split('->')
    .map(side => side.trim())
  const [source, destination] = sides
  if (money === null || sides.length !== 2 || !source || !destination) return null
  const amount = Number(money[1])
  const denomination = (money[2] ?? '').trim()
  return amount > 0 ? { amount, denomination, source, destination } : null
}
