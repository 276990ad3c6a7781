import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { figureAtLeast, figureAtMost } from '#test/bench/figure.js'
import { type Evaluation, percentOf } from './evaluation.js'
import { withDaemonOver } from './name-daemon.js'

/** A form, and the heading that it is a form of; null: it means nothing. */
export interface NamePair {
  readonly form: string
  readonly name: string | null
  /** Whether an effect on the form changes the block; a form of the other gender has none. */
  readonly hasEffect: boolean
}

/** Blocks that stand beside each other, and forms of them. */
export interface PairWorld {
  readonly title: string
  readonly files: Readonly<Record<string, string>>
  readonly pairs: ReadonlyArray<NamePair>
}

const linePattern = /^(?<name>.+) \((?<type>[^()]+)\)(?<sign>[!~]?): (?<forms>.+)$/u

const worldOfText = (text: string): PairWorld => {
  const [title = '', ...lines] = text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  const types = new Map<string, string>()
  const pairs: Array<NamePair> = []
  for (const line of lines) {
    const { name = '', type = '', sign = '', forms = '' } = linePattern.exec(line)?.groups ?? {}
    if (name === '') throw new Error(`name-pairs.txt: no heading, type and forms in "${line}"`)
    types.set(name, type)
    for (const form of forms.split(', '))
      pairs.push({ form, name: sign === '~' ? null : name, hasEffect: sign === '' })
  }
  const blocks = [...types].map(([name, type]) => `### ${name}\n- @typ: ${type}\n`)
  return { title, files: { 'encje/indeks.md': blocks.join('\n') }, pairs }
}

/** The worlds of `name-pairs.txt`, which is part of the project. */
export const readPairWorlds = (): ReadonlyArray<PairWorld> =>
  readFileSync(join(import.meta.dirname, 'name-pairs.txt'), 'utf8')
    .split('\n== ')
    .slice(1)
    .map(worldOfText)

/** Resolves the forms of each world without the fuzzy stage. */
export const evaluatePairs = async (): Promise<Evaluation> => {
  const [count, lines] = [{ all: 0, right: 0, wrong: 0 }, new Array<string>()]
  for (const { title, files, pairs } of readPairWorlds()) {
    const texts = pairs.map(({ form }) => form)
    const results = await withDaemonOver(files, daemon => daemon.resolveAll(texts, { noFuzzy: true }))
    count.all += pairs.length
    for (const [at, { form, name }] of pairs.entries()) {
      const found = results[at]
      if (found?.resolved === name && found.ambiguous !== true) count.right += 1
      else {
        if (typeof found?.resolved === 'string') count.wrong += 1
        const means = found?.resolved ?? (found?.ambiguous === true ? 'several' : 'nothing')
        lines.push(`${title}: ${form} is a form of ${name ?? 'nothing'}, resolves to ${means}`)
      }
    }
  }
  return {
    title: 'pairs',
    figures: [
      figureAtLeast(
        'pairs of genders, titles and first names: right',
        '%',
        99,
        percentOf(count.right, count.all),
      ),
      figureAtMost('pairs of genders, titles and first names: wrong', `of ${count.all}`, 0, count.wrong),
    ],
    wrong: lines,
  }
}
