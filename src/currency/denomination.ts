/** A denomination of money; one piece is worth `kogi` of the smallest one (FORMATS 7). */
export interface Denomination {
  readonly name: string
  readonly short: string
  readonly kogi: number
}

/** The closed set of denominations, the dearest first. */
export const denominations: ReadonlyArray<Denomination> = [
  { name: 'Korony Elanckie', short: 'Korony', kogi: 10_000 },
  { name: 'Talary Hirońskie', short: 'Talary', kogi: 100 },
  { name: 'Kogi Skeltvorskie', short: 'Kogi', kogi: 1 },
]
