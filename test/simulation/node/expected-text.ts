import type { WriteWish } from './plans.js'

/** The text of a file after a wish, found line by line: the oracle for what a dry run shows and a commit does. */
export const textAfterWish = (text: string, wish: WriteWish, more: ReadonlyArray<string>): string => {
  const lines = text.split('\n')
  const from = lines.indexOf(`### ${wish.block}`) + 1
  let to = from
  while (lines[to]?.startsWith('- ') === true) to += 1
  const rows = lines.slice(from, to)
  const changed =
    wish.kind === 'add'
      ? [...rows, `- @info: ${wish.word}`, ...more]
      : rows.map(row => (row.startsWith('- @lokacja: ') ? `- @lokacja: ${wish.word}` : row))
  return [...lines.slice(0, from), ...changed, ...lines.slice(to)].join('\n')
}
