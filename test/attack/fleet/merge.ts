import { join } from 'node:path'
import type { Chance } from '#src/demo/chance.js'
import { block } from '#test/support/hostile/lore-text.js'
import { cloneOf, gitIn, headIn, temporaryFolder, writeFiles } from '#test/support/repository.js'
import type { AttackCase } from '../case.js'
import { gitAtLength } from '../git.js'
import { startAttackSubject } from '../subject.js'
import { openTrial, type Result, type Trial } from '../trial.js'
import { endTrial, notStarted } from '../world-case.js'

const index = 'encje/indeks.md'
const shared = 'Wspólny Kupiec'

const config = {
  server: { publish_mode: 'push', sync_interval_min: 600, selfheal_interval_ms: 0, gc_interval_min: 0 },
}

/** Two hosts over clones of one remote. */
interface Pair {
  readonly bare: string
  readonly paths: readonly [string, string]
  readonly trials: readonly [Trial, Trial]
}

type Play = (pair: Pair, chance: Chance, scale: number) => Promise<void>

const seedRepository = (folder: string, files: Readonly<Record<string, string>>): string => {
  const [bare, seed] = [join(folder, 'bare.git'), join(folder, 'seed')]
  gitIn(folder, 'init', '-q', '--bare', '-b', 'main', bare)
  gitIn(folder, 'init', '-q', '-b', 'main', seed)
  writeFiles(seed, {
    '.svc/format.json': '{"format": 2}\n',
    '.svc/config.json': JSON.stringify(config),
    [index]: block('NPC', shared, 'info: pierwszy'),
    ...files,
  })
  gitIn(seed, 'add', '-A')
  gitIn(seed, 'commit', '-q', '-m', 'seed')
  gitIn(seed, 'push', '-q', bare, 'main')
  return bare
}

/** Rows that a person appends to the shared block of a clone and commits. */
const commitRows = (path: string, rows: ReadonlyArray<string>): void => {
  const text = gitAtLength(path, ['cat-file', 'blob', `HEAD:${index}`]).trimEnd()
  writeFiles(path, { [index]: `${text}\n${rows.map(row => `- @${row}\n`).join('')}` })
  gitIn(path, 'commit', '-q', '-a', '-m', 'rows')
}

const textAt = (path: string): string => gitAtLength(path, ['cat-file', 'blob', `main:${index}`])

/** The first publishes, the second merges and publishes, the first takes it. */
const converge = async ({ trials: [first, second] }: Pair): Promise<void> => {
  for (const trial of [first, second, first])
    await trial.fire({ method: 'POST', path: '/sync', body: {}, token: trial.subject.token })
}

const judgeOne = ({ bare, paths, trials }: Pair, rows: ReadonlyArray<string>): void => {
  const heads = [bare, ...paths].map(path => headIn(path, 'refs/heads/main'))
  if (new Set(heads).size > 1) trials[1].violate(`the hosts do not stand at one commit: ${heads.join(' ')}`)
  const lines = new Set(textAt(bare).split('\n'))
  const lost = rows.filter(row => !lines.has(`- @${row}`))
  if (lost.length > 0)
    trials[1].violate(`${lost.length} of ${rows.length} rows are gone, such as "${lost[0] ?? ''}"`)
}

const rowsOf = (chance: Chance, side: string, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, at) => `info: ${side} ${at} ${chance.whole(0, 1e9)}`)

const sideRows = 20_000

/** Very many rows at one place of one block, on both sides. */
const appendRows: Play = async (pair, chance, scale) => {
  const count = Math.ceil(sideRows * scale)
  const sides = ['lewy', 'prawy'].map(side => rowsOf(chance, side, count))
  for (const [at, path] of pair.paths.entries()) commitRows(path, sides[at] ?? [])
  await converge(pair)
  judgeOne(pair, sides.flat())
}

const valuesASide = 300

/** The same by a caller on each host. */
const writeValues: Play = async (pair, chance, scale) => {
  const count = Math.ceil(valuesASide * scale)
  const sides = ['lewy', 'prawy'].map(side => rowsOf(chance, side, count))
  for (const [at, trial] of pair.trials.entries())
    for (const row of sides[at] ?? [])
      await trial.fire({
        method: 'PATCH',
        path: `/entities/${encodeURIComponent(shared)}`,
        body: { tag: 'info', value: row.slice('info: '.length) },
        token: trial.subject.token,
      })
  await converge(pair)
  judgeOne(pair, sides.flat())
}

/** An attribute of the lore that makes git merge what is a conflict: one row changed to two values. */
const unionAttributes: Play = async pair => {
  for (const [at, path] of pair.paths.entries()) commitRows(path, [`pochodzenie: Strona ${at}`])
  await converge(pair)
  const rows = textAt(pair.bare).match(/^- @pochodzenie:.*$/gmu) ?? []
  if (rows.length !== 1) pair.trials[1].violate(`one row became ${rows.length}: ${rows.join(', ')}`)
}

const joinResults = ([first, second]: readonly [Result, Result]): Result => ({
  requests: first.requests + second.requests,
  statuses: { ...first.statuses, ...second.statuses },
  worstCpu: first.worstCpu.ms > second.worstCpu.ms ? first.worstCpu : second.worstCpu,
  worstTurn: first.worstTurn.ms > second.worstTurn.ms ? first.worstTurn : second.worstTurn,
  loadMs: Math.max(first.loadMs, second.loadMs),
  heapMb: Math.max(first.heapMb, second.heapMb),
  violations: [...first.violations, ...second.violations],
})

const mergeCase = (name: string, play: Play, files: Readonly<Record<string, string>> = {}): AttackCase => ({
  name: `world/merge-${name}`,
  kind: 'world',
  run: async ({ chance, scale }) => {
    const folder = temporaryFolder()
    const opened: Array<Trial> = []
    try {
      const bare = seedRepository(folder.path, files)
      const paths = [join(folder.path, 'first'), join(folder.path, 'second')] as const
      for (const path of paths) cloneOf(bare, path)
      for (const path of paths) {
        const started = await startAttackSubject(path)
        if (started._tag === 'NotStarted') return notStarted(started.reason)
        opened.push(await openTrial(started.subject, chance.fork(path.slice(folder.path.length))))
      }
      const [first, second] = opened
      if (first === undefined || second === undefined) throw new Error('a pair has two hosts')
      await play({ bare, paths, trials: [first, second] }, chance, scale)
      return joinResults([await endTrial(first, true), await endTrial(second, true)])
    } finally {
      for (const trial of opened) await trial.subject.stop(true)
      folder.dispose()
    }
  },
})

/** Two hosts of one remote and what they merge. */
export const mergeCases: ReadonlyArray<AttackCase> = [
  mergeCase('appended-rows', appendRows),
  mergeCase('written-values', writeValues),
  mergeCase('union-attributes', unionAttributes, { '.gitattributes': '* merge=union\n' }),
]
