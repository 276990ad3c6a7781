import { figureAtLeast, figureAtMost } from '#test/bench/figure.js'
import { type Evaluation, percentOf } from './evaluation.js'
import { type NameDaemon, withDaemonOver, worldOfHeadings } from './name-daemon.js'

/** Names, forms of each that belong to no other, and forms of names that are not among them. */
export interface NameList {
  readonly names: ReadonlyArray<string>
  readonly forms: ReadonlyArray<readonly [form: string, name: string]>
  readonly absent: ReadonlyArray<string>
}

const linesOf = (text: string): ReadonlyArray<string> =>
  text.split('\n').filter(line => line.trim() !== '' && !line.startsWith('#'))

export const nameListOf = (index: string, forms: string, absent: string): NameList => ({
  names: linesOf(index),
  forms: linesOf(forms).map(line => {
    const [form = '', name = ''] = line.split('\t')
    return [form, name] as const
  }),
  absent: linesOf(absent),
})

interface Bars {
  readonly noFuzzy: boolean
  readonly right: number
  readonly wrong: number
  readonly absent: number
}

/** What is to be reached; in brackets of the notes what the predecessor reaches. */
const bars: ReadonlyArray<Bars> = [
  { noFuzzy: true, right: 99.9, wrong: 0.05, absent: 0.4 },
  { noFuzzy: false, right: 99.4, wrong: 0.4, absent: 3 },
]

const before = { true: ['41.8', '0.2', '0.4'], false: ['89.9', '3.0', '16.3'] } as const

const measure = async (
  daemon: NameDaemon,
  list: NameList,
  { noFuzzy, right, wrong, absent }: Bars,
): Promise<Evaluation> => {
  const results = await daemon.resolveAll(
    list.forms.map(([form]) => form),
    { noFuzzy },
  )
  const misses = await daemon.resolveAll(list.absent, { noFuzzy })
  const [count, lines] = [{ right: 0, wrong: 0 }, new Array<string>()]
  for (const [at, [form, name]] of list.forms.entries()) {
    const found = results[at]
    if (found?.resolved === name) count.right += 1
    else {
      if (found?.resolved !== null) count.wrong += 1
      const means = found?.resolved ?? (found?.ambiguous === true ? 'several' : 'nothing')
      lines.push(`${form} is a form of ${name}, resolves to ${means} (${found?.stage ?? 'miss'})`)
    }
  }
  const hits = misses.filter(({ stage }) => stage !== 'miss')
  for (const { token, resolved, stage } of hits)
    lines.push(`${token} is a form of no name, resolves to ${resolved ?? 'several'} (${stage})`)
  const title = noFuzzy ? 'names, noFuzzy' : 'names, with fuzzy'
  const [was, wasWrong, wasHit] = before[noFuzzy ? 'true' : 'false']
  const [all, none] = [list.forms.length, list.absent.length]
  return {
    title,
    figures: [
      figureAtLeast(`${title}: right`, '%', right, percentOf(count.right, all), `predecessor ${was}`),
      figureAtMost(`${title}: wrong`, '%', wrong, percentOf(count.wrong, all), `predecessor ${wasWrong}`),
      figureAtMost(
        `${title}: false hits`,
        '%',
        absent,
        percentOf(hits.length, none),
        `predecessor ${wasHit}`,
      ),
    ],
    wrong: lines,
  }
}

/** Resolves every form and every absent word over a world of the names, without and with the fuzzy stage. */
export const evaluateNames = (list: NameList): Promise<ReadonlyArray<Evaluation>> =>
  withDaemonOver(worldOfHeadings(list.names), async daemon => {
    const found: Array<Evaluation> = []
    for (const one of bars) found.push(await measure(daemon, list, one))
    return found
  })
