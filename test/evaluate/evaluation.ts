import type { Figure } from '#test/bench/figure.js'

/** What one part of `npm run evaluate` found: its figures, and what is still wrong, a line each. */
export interface Evaluation {
  readonly title: string
  readonly figures: ReadonlyArray<Figure>
  readonly wrong: ReadonlyArray<string>
}

/** How many lines of what is wrong are printed; of the others the number. */
const shownMax = 40

export const listWrong = ({ title, wrong }: Evaluation): string => {
  if (wrong.length === 0) return ''
  const more = wrong.length > shownMax ? [`  and ${wrong.length - shownMax} more`] : []
  return [`${title}: still wrong`, ...wrong.slice(0, shownMax).map(line => `  ${line}`), ...more, ''].join(
    '\n',
  )
}

export const percentOf = (part: number, all: number): number => (all === 0 ? 0 : (100 * part) / all)
