import { nameKey } from '#protocol/atoms.js'

/** A denomination of money; one piece is worth `kogi` of the smallest one (FORMATS 7). */
export interface Denomination {
  readonly name: string
  readonly short: string
  readonly kogi: number
}

/** The closed set of denominations, the most valuable first. */
export const denominations: ReadonlyArray<Denomination> = [
  { name: 'Korony Elanckie', short: 'Korony', kogi: 10_000 },
  { name: 'Talary Hirońskie', short: 'Talary', kogi: 100 },
  { name: 'Kogi Skeltvorskie', short: 'Kogi', kogi: 1 },
]

const written: ReadonlyArray<RegExp> = [
  /^koron(?:a|y|ie|ę|ą|o|om|ami|ach)?(?: elanck\p{L}{1,4})?$/u,
  /^talar(?:a|owi|em|ze|y|ów|om|ami|ach)?(?: hirońsk\p{L}{1,4})?$/u,
  /^kog(?:a|owi|iem|u|i|ów|om|ami|ach)?(?: skeltvorsk\p{L}{1,4})?$/u,
]

/**
 * The denomination that a text names: its name, its short name, or a case of it, with or without the
 * adjective. Null for anything else, also `Talizman` and `Kogut` (FORMATS 7).
 */
export const denominationOf = (text: string): Denomination | null => {
  const key = nameKey(text)
  return denominations.find((_, at) => written[at]?.test(key)) ?? null
}
