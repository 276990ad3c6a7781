import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * A bug of production code as a patch: its first lines say what is wrong, what that breaks, and which world hunts it.
 * A bug where the simulation has a model, as of processes, is hunted by a test file.
 */
export interface Planted {
  readonly name: string
  readonly path: string
  /**
   * Ids of safety (S), liveness (L), decisions (D) and failures (F), `suspicion` or `outbox`, parted by blanks: a violation of any
   * of them finds the bug.
   */
  readonly breaks: string
  /** The world that hunts it, as `npm run simulate -- --only` names it; `gate` where the patch names none. */
  readonly only: string
  /** The test file that hunts it; null where the simulation does. */
  readonly test: string | null
}

/** What became of a bug: the seed that found it, or why it was not found. */
export interface PlantVerdict {
  readonly name: string
  readonly isFound: boolean
  readonly said: string
  readonly ms: number
}

const folder = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../../../', import.meta.url))
const copied = [
  'actors',
  'protocol',
  'src',
  'supervisors',
  'test',
  'package.json',
  'tsconfig.json',
  '.mocharc.cjs',
]

/** A word of `Planted.breaks`. */
const isBroken = /^(?:[SLDF]\d+|suspicion|outbox)$/u

export const listPlantedBugs = (only: string): ReadonlyArray<Planted> =>
  readdirSync(folder)
    .filter(file => file.endsWith('.patch') && file.includes(only))
    .sort()
    .map(file => {
      const path = join(folder, file)
      const text = readFileSync(path, 'utf8')
      const breaks = /^Breaks: (.+)$/mu.exec(text)?.[1]
      if (breaks === undefined || !breaks.split(' ').every(word => isBroken.test(word)))
        throw new Error(`${file} does not say what it breaks`)
      const only = /^Only: (\w+)$/mu.exec(text)?.[1] ?? 'gate'
      const test = /^Test: (\S+)$/mu.exec(text)?.[1] ?? null
      return { name: file.slice(0, -'.patch'.length), path, breaks, only, test }
    })

/** A copy of what the simulation runs, with the packages of this tree. */
export const openTree = (): { readonly path: string; readonly close: () => void } => {
  const path = mkdtempSync(join(tmpdir(), 'planted-'))
  for (const name of copied) cpSync(join(root, name), join(path, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'))
  return { path, close: () => rmSync(path, { recursive: true, force: true }) }
}

/** Why git does not apply the patch of a bug so; null where it does. */
const tryApply = (tree: string, bug: Planted, ...how: ReadonlyArray<string>): string | null => {
  const applied = spawnSync('git', ['apply', ...how, bug.path], { cwd: tree, encoding: 'utf8' })
  return applied.status === 0 ? null : applied.stderr.trim()
}

const simulation = ['--conditions=source', '--import', 'tsx', 'test/simulation/bundled.ts']
const mocha = ['node_modules/mocha/bin/mocha.js', '--timeout', '20000', '--exit', '--bail']

const run = async (tree: string, args: ReadonlyArray<string>): Promise<string> => {
  const child = spawn(process.execPath, args, { cwd: tree, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  const hear = (part: Buffer): void => {
    said += part.toString('utf8')
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  await once(child, 'close')
  return said
}

/** What the output of a simulation says of a bug: found only by a violation of what it breaks. */
export const judgeRun = (breaks: string, said: string): Pick<PlantVerdict, 'isFound' | 'said'> => {
  const violations = said.split('\n').filter(line => /^at \d+ ms: /u.test(line))
  const replay = /^npm run simulate -- --seed \d+(?: --only \w+)?$/mu.exec(said)?.[0] ?? 'no seed was named'
  const first = violations.find(line => breaks.split(' ').some(id => line.includes(id)))
  if (first !== undefined) return { isFound: true, said: `${replay}: ${first}` }
  if (violations.length > 0) return { isFound: false, said: `something else was found: ${violations[0]}` }
  return { isFound: false, said: said.trim().split('\n').slice(-3).join('\n') }
}

/** What mocha says of a bug: found where a test that ran to its end failed. */
export const judgeTest = (said: string): Pick<PlantVerdict, 'isFound' | 'said'> => {
  const failed = /^ +1\) (.+)$/mu.exec(said)?.[1]
  return failed !== undefined && / failing$/mu.test(said)
    ? { isFound: true, said: failed }
    : { isFound: false, said: said.trim().split('\n').slice(-3).join('\n') }
}

const hunt = async (
  tree: string,
  bug: Planted,
  seeds: number,
): Promise<Pick<PlantVerdict, 'isFound' | 'said'>> =>
  bug.test === null
    ? judgeRun(bug.breaks, await run(tree, [...simulation, '--only', bug.only, '--seeds', `${seeds}`]))
    : judgeTest(await run(tree, [...mocha, bug.test]))

/** The bugs whose patch does not apply to the tree as it is, each with git's reason. */
export const findOutdated = (tree: string, bugs: ReadonlyArray<Planted>): ReadonlyArray<string> =>
  bugs.flatMap(bug => {
    const complaint = tryApply(tree, bug, '--check')
    return complaint === null ? [] : [`${bug.name}: ${complaint}`]
  })

/**
 * Plants a bug in the tree, and simulates there until a seed finds it or `seeds` did not, or runs its test; takes it
 * out again.
 */
export const huntBug = async (tree: string, bug: Planted, seeds: number): Promise<PlantVerdict> => {
  const startedMs = performance.now()
  const complaint = tryApply(tree, bug)
  if (complaint !== null) throw new Error(`${bug.name}: ${complaint}`)
  const verdict = await hunt(tree, bug, seeds)
  const stuck = tryApply(tree, bug, '-R')
  if (stuck !== null) throw new Error(`${bug.name} does not come out again: ${stuck}`)
  return { name: bug.name, ...verdict, ms: performance.now() - startedMs }
}
