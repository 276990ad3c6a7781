import { parseArgs } from 'node:util'
import { sources } from '#test/tidy/sources.js'
import { type Copy, openCopy } from './copy.js'
import { applySample, findGaps, type Howto, listHandEdits } from './howto.js'
import { howtos } from './howtos.js'

/**
 * `npm run howto [-- --only add-a-route]`: follows the howtos of the table one after the other in one copy of the tree,
 * prints the files that each touched, and then checks the copy with all samples in it: lint of what was written, types,
 * generated documents, the rules of the project and the tests. Exits with 1 where a check fails or a howto cannot be
 * followed.
 */

const say = (text: string): void => void process.stdout.write(`${text}\n`)

const secondsSince = (startedMs: number): string => ((performance.now() - startedMs) / 1000).toFixed(0)

/** Does a part of the run, prints its time and, where it failed, its output. Answers whether it passed. */
const runPart = (name: string, failureOf: () => string | null): boolean => {
  const startedMs = performance.now()
  const failure = failureOf()
  say(`${failure === null ? 'passed' : 'FAILED'} ${secondsSince(startedMs).padStart(4)} s  ${name}`)
  if (failure !== null) say(failure)
  return failure === null
}

/** Follows a howto in the copy and commits there; answers why that is not possible, else null. */
const follow = (copy: Copy, howto: Howto): string | null => {
  const gaps = findGaps(howto, page => copy.read(`docs/howto/develop/${page}.md`) ?? '')
  if (gaps.length > 0) return gaps.join('\n')
  for (const [path, text] of applySample(howto, copy.read)) copy.write(path, text)
  const byHand = listHandEdits(howto)
  for (const { script } of howto.scripts) {
    const failure = copy.failureOf('npm', 'run', '-s', script)
    if (failure !== null) return failure
  }
  const failure = copy.failureOf('npx', 'biome', 'check', '--write', ...byHand)
  if (failure !== null) return failure
  const touched = copy.commit(howto.page)
  say(`${howto.page}: ${byHand.size} files by hand, at most ${howto.filesMax} may be`)
  for (const path of touched) say(`  ${path}${byHand.has(path) ? '' : ' (generated)'}`)
  return null
}

/** The checks of a copy in which the howtos were followed. Every check runs, also behind one that failed. */
const checksOf = (
  copy: Copy,
  followed: ReadonlyArray<Howto>,
): ReadonlyArray<readonly [string, () => string | null]> => {
  const { failureOf } = copy
  const written = [...new Set(followed.flatMap(howto => [...listHandEdits(howto)]))]
  const tidy = sources.map(({ path }) => path).filter(path => /^test\/tidy\/.*\.test\.ts$/.test(path))
  return [
    ['eslint of the files by hand', () => failureOf('npx', 'eslint', ...written)],
    ['npm run typecheck', () => failureOf('npm', 'run', '-s', 'typecheck')],
    ['npm run docs:check', () => failureOf('npm', 'run', '-s', 'docs:check')],
    ['the tests of test/tidy', () => failureOf('npx', 'mocha', '--parallel', ...tidy)],
    ['npm run test:fast', () => failureOf('npm', 'run', '-s', 'test:fast')],
    ...followed
      .flatMap(({ slowTests }) => slowTests)
      .map(({ path, grep }) => {
        const only = grep === undefined ? [] : ['--grep', grep]
        return [
          [path, ...only].join(' '),
          () => failureOf('npx', 'mocha', '--fail-zero', path, ...only),
        ] as const
      }),
  ]
}

const { values } = parseArgs({ options: { only: { type: 'string' } } })
const wanted = howtos.filter(({ page }) => values.only === undefined || page === values.only)
if (wanted.length === 0)
  throw new Error(`--only ${values.only}: the pages are ${howtos.map(({ page }) => page).join(', ')}`)

const copy = openCopy()
const startedMs = performance.now()
try {
  const parts = wanted.map(howto => [`follow ${howto.page}`, () => follow(copy, howto)] as const)
  const isFollowed = parts.every(([name, failureOf]) => runPart(name, failureOf))
  const results = isFollowed
    ? checksOf(copy, wanted).map(([name, failureOf]) => runPart(name, failureOf))
    : [false]
  if (results.includes(false)) process.exitCode = 1
  say(`${secondsSince(startedMs)} s in all`)
} finally {
  copy.remove()
}
