import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { figureTable, holds } from '#test/bench/figure.js'
import { evaluateDemo } from './demo-forms.js'
import { type Evaluation, listWrong } from './evaluation.js'
import { evaluatePairs } from './name-pairs.js'
import { evaluateCases, polishCasesOf } from './polish-cases.js'
import { evaluateNames, nameListOf } from './polish-names.js'
import { evaluateSearch } from './search/search-table.js'

/**
 * `npm run evaluate`: how well the built daemon finds names, over the evaluation sets beside the repository and over
 * the demo's own names, and texts of the demo. Exits with 1 when a figure misses its bar.
 */
const { values: options } = parseArgs({
  options: { shared: { type: 'string', default: join(import.meta.dirname, '..', '..', '..', 'shared') } },
})

/** The texts of files beside the repository; null unless all are there. */
const readShared = (...paths: ReadonlyArray<string>): ReadonlyArray<string> | null => {
  const files = paths.map(path => join(options.shared, 'eval', path))
  return files.every(existsSync) ? files.map(file => readFileSync(file, 'utf8')) : null
}

const skip = (what: string): ReadonlyArray<Evaluation> => {
  process.stdout.write(`${what}: not beside this repository, skipped\n`)
  return []
}

const evaluateAll = async (): Promise<ReadonlyArray<Evaluation>> => {
  if (!existsSync('dist/src/main.js')) throw new Error('nothing is built: npm run build')
  const list = readShared(...['index.txt', 'forms.tsv', 'absent.txt'].map(file => `polish-names/${file}`))
  const cases = readShared('polish/polish-cases.json')
  const [index = '', forms = '', absent = ''] = list ?? []
  return [
    ...(await evaluateDemo()),
    await evaluatePairs(),
    ...(list === null ? skip('polish-names') : await evaluateNames(nameListOf(index, forms, absent))),
    ...(cases === null ? skip('polish-cases') : await evaluateCases(polishCasesOf(cases[0] ?? ''))),
    await evaluateSearch(),
  ]
}

const evaluations = await evaluateAll()
const figures = evaluations.flatMap(one => one.figures)
process.stdout.write(`${figureTable(figures)}\n\n${evaluations.map(listWrong).join('\n')}`)
process.exitCode = figures.every(holds) ? 0 : 1
