/**
 * The blocks of a page that a test runs. The words behind the language of a fence say what a block is:
 *
 * - `run`: bash runs it to its end, in one shell for the whole page. Each line must succeed; with `exit=65` exactly one
 *   line fails, with that code.
 * - `run lines=4`: bash runs it until it has printed that many lines, and ends it as Ctrl-C would.
 * - `serve`: it goes on in the background, and the next block begins when it has printed its first line.
 * - `file=NAME`: the text is written to that file.
 * - `output`: what the `run` above prints.
 * - `needs=PROGRAM`, beside `run`: the block is left out where the program is absent.
 *
 * A block within an HTML comment, `<!-- run … -->`, is run and not shown.
 */
export type PageStep =
  | { readonly kind: 'file'; readonly line: number; readonly name: string; readonly text: string }
  | {
      readonly kind: 'run'
      readonly line: number
      readonly code: string
      /** Exit codes of the lines that fail, in their order. */
      readonly exits: ReadonlyArray<number>
      readonly needs: string | null
      readonly until: Until
      /** What the page shows below it; null where it shows nothing. */
      readonly output: string | null
    }

/** When the next block begins: at the end of this one, or when it has printed so many lines; then it is ended, or goes on. */
export type Until =
  | { readonly kind: 'end' }
  | { readonly kind: 'lines'; readonly count: number }
  | { readonly kind: 'ready' }

interface Block {
  /** Number of its first line in the page, from 1. */
  readonly line: number
  readonly words: ReadonlyArray<string>
  readonly text: string
}

interface OpenBlock extends Omit<Block, 'text'> {
  readonly end: string
  readonly lines: Array<string>
}

const opening = /^(?:```\S*|<!--) ?([^`>]*)$/

/** The fenced blocks and the comments of a page, in order. */
const blocksOf = (page: string): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  let open: OpenBlock | null = null
  for (const [at, line] of page.split('\n').entries()) {
    if (open !== null && line === open.end) {
      blocks.push({ line: open.line, words: open.words, text: open.lines.join('\n') })
      open = null
    } else if (open !== null) open.lines.push(line)
    else {
      const found = opening.exec(line)
      if (found === null) continue
      const end: string = line.startsWith('```') ? '```' : '-->'
      open = { line: at + 2, words: (found[1] ?? '').split(' '), end, lines: [] }
    }
  }
  if (open !== null) throw new Error(`the block at line ${open.line} has no end`)
  return blocks
}

const valueOf = (words: ReadonlyArray<string>, key: string): string | null =>
  words.find(word => word.startsWith(`${key}=`))?.slice(key.length + 1) ?? null

const untilOf = (words: ReadonlyArray<string>): Until => {
  const count = valueOf(words, 'lines')
  if (words.includes('serve')) return { kind: 'ready' }
  return count === null ? { kind: 'end' } : { kind: 'lines', count: Number(count) }
}

const stepOf = ({ line, words, text }: Block): PageStep | null => {
  const name = valueOf(words, 'file')
  if (name !== null) return { kind: 'file', line, name, text }
  if (!words.includes('run') && !words.includes('serve')) return null
  const exit = valueOf(words, 'exit')
  return {
    kind: 'run',
    line,
    code: text,
    exits: exit === null ? [] : [Number(exit)],
    needs: valueOf(words, 'needs'),
    until: untilOf(words),
    output: null,
  }
}

/** The steps of a page, in order. Throws where a block has no end or an `output` follows no `run`. */
export const pageStepsOf = (page: string): ReadonlyArray<PageStep> => {
  const steps: Array<PageStep> = []
  for (const block of blocksOf(page)) {
    const step = stepOf(block)
    const last = steps.at(-1)
    if (step !== null) steps.push(step)
    else if (!block.words.includes('output')) continue
    else if (last?.kind === 'run' && last.output === null)
      steps[steps.length - 1] = { ...last, output: block.text }
    else throw new Error(`the output at line ${block.line} follows no block that is run`)
  }
  return steps
}
