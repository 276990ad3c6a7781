import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isLeft } from 'fp-ts/lib/Either.js'
import { gitText } from '#src/adapters/git/git-command.js'
import { writeDemo } from '#src/demo/writer/demo-writer.js'
import { answerFigures, fileReadFigures } from './answers.js'
import { measureUntilHeld } from './best-of.js'
import { boots } from './boot.js'
import { changeFigures, lookAlways } from './change.js'
import { chatFigures } from './chat/chat.js'
import { closingFigures } from './closing.js'
import { commandFigures } from './commands.js'
import { convergeFigures } from './converge.js'
import { startBenchDaemon } from './daemon.js'
import { diskFigures } from './disk.js'
import {
  blockRatios,
  type Figure,
  figureAtMost,
  figureTable,
  figureWithoutBar,
  holds,
  onMachine,
  type Verdict,
  verdictOf,
} from './figure.js'
import { fleetFigures } from './fleet/fleet.js'
import { kernelFigures } from './kernel.js'
import { moneyFigures } from './money.js'
import { nameMissFigures } from './name-misses.js'
import { nameFigures } from './names.js'
import { pointsFigures } from './points.js'
import { publishModeFigures } from './publish-modes.js'
import { readerFigures } from './readers.js'
import { recordFigures } from './records.js'
import { refusalTimeFigures } from './refusal-times.js'
import { scrapeFigures } from './scrapes.js'
import { searchBootFigures } from './search-boot.js'
import { lineFigures } from './search-lines.js'
import { proseFigures, proseScale } from './search-prose.js'
import { setServerKeys } from './server-keys.js'
import { measureSlowness } from './speed.js'
import { tokenFigures } from './tokens.js'
import { transcriptFigures } from './transcripts.js'
import { writeFigures } from './writes.js'

/**
 * `npm run bench [-- --json --only writes]`: the bars of "Speed", measured on the built node. Prints the table of a group when
 * the group is done, and goes on after a group that fails. Leaves with 1 when a bar is missed or a group failed. `--only` takes one
 * group: boots, commands, kernel, reads, scrapes, records, writes, publishing, converges, changes, tokens, refusals, threads,
 * names, money, points, closing, fleet, chat, search, transcripts. `--ratios` takes the groups that compare with a twin in the same run, for a machine that others use:
 * the best of three attempts, judged by floors (`best-of.ts`). `--json` prints one value at the end: `{ figures, failed }`.
 *
 * A bar is missed where the median misses it by more than the spread; by less, the row says `unsure`. The bars of absolute times
 * are scaled by the speed of the machine, which is measured before and after each group (`speed.ts`).
 */

const rounds = 5
const ratioRounds = 3
const seed = 'pomiar'

const say = (text: string): void => void process.stderr.write(`${text}\n`)

/** A world of the demo. It has no search: what it costs is the group of `search`. */
const world = async (folder: string, scale: number): Promise<string> => {
  const repo = join(folder, `world-${scale}`)
  const startedMs = performance.now()
  const written = await writeDemo(repo, { seed, scale })
  if (isLeft(written)) throw new Error(written.left.reason)
  await setServerKeys(repo, { search_index: null })
  say(`world at scale ${scale}: ${Math.round(performance.now() - startedMs)} ms`)
  return repo
}

/** An entity of the world: the first place of the index. */
const anEntity = async (repo: string): Promise<string> => {
  const text = await readFile(join(repo, 'encje/indeks.md'), 'utf8')
  const found = /^### (.+)\n- @typ: Lokacja$/mu.exec(text)
  if (found === null) throw new Error('a world without places')
  return found[1] ?? ''
}

/** Looks at HEAD so seldom that none falls into a measurement of the disk. */
const lookSeldom = async (repo: string): Promise<void> => {
  const path = join(repo, '.svc/config.json')
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace(/"selfheal_interval_ms": \d+/u, '"selfheal_interval_ms": 600000'))
  const author = ['-c', 'user.name=Pomiar', '-c', 'user.email=pomiar@example.org']
  await gitText([...author, 'commit', '--quiet', '--all', '-m', 'pomiar: HEAD rzadko'], { cwd: repo })
}

const smallFigures = async (folder: string, repo: string, rounds: number): Promise<ReadonlyArray<Figure>> => {
  const daemon = await startBenchDaemon({ repo, state: await mkdtemp(join(folder, 'state-')) })
  try {
    const entity = await anEntity(repo)
    // First, because the request log starts a new file once the rounds have filled one.
    const disk = await diskFigures(daemon, folder, entity)
    say('answers against the bare twin')
    const answers = await answerFigures(daemon, folder, entity, rounds)
    return [...answers, ...(await fileReadFigures(daemon, rounds)), ...disk]
  } finally {
    await daemon.stop()
  }
}

const largeFigures = async (folder: string, repo: string): Promise<ReadonlyArray<Figure>> => {
  await lookAlways(repo)
  const daemon = await startBenchDaemon({ repo, state: await mkdtemp(join(folder, 'state-')) })
  try {
    say('one changed session file')
    return await changeFigures(daemon, repo, await anEntity(repo), 15)
  } finally {
    await daemon.stop()
  }
}

const bootFigures = async (folder: string, one: string, ten: string): Promise<ReadonlyArray<Figure>> => {
  say('cold boots')
  const [small, large] = await boots(folder, [one, ten], rounds)
  return [
    figureAtMost('cold boot to the ready line, scale 1', 'ms', 2000, small.readyMs),
    figureAtMost('cold boot to the ready line, scale 10', 'ms', 8000, large.readyMs),
    figureAtMost(
      'growth of the boot from scale 1 to 10',
      'x',
      12,
      blockRatios(large.readyMs, small.readyMs, 1),
    ),
    figureAtMost('first /health, scale 1', 'ms', 700, small.firstHealthMs),
    figureAtMost('first /health, scale 10', 'ms', 700, large.firstHealthMs),
    figureAtMost('resident memory when ready, scale 10', 'MB', 700, large.rssMb),
    figureWithoutBar('highest resident memory of the boot, scale 10', 'MB', large.peakMb),
    figureWithoutBar('resident memory when ready, scale 1', 'MB', small.rssMb),
    figureWithoutBar('processor time of the boot, scale 1', 'ms', small.processorMs),
    figureWithoutBar('processor time of the boot, scale 10', 'ms', large.processorMs),
  ]
}

const writeGroup = async (folder: string, one: string, ten: string): Promise<ReadonlyArray<Figure>> => {
  const daemons = [
    await startBenchDaemon({ repo: one, state: await mkdtemp(join(folder, 'state-')) }),
    await startBenchDaemon({ repo: ten, state: await mkdtemp(join(folder, 'state-')) }),
  ] as const
  try {
    say('writes against bare plumbing')
    return await writeFigures(folder, { repo: one, daemon: daemons[0] }, { repo: ten, daemon: daemons[1] })
  } finally {
    for (const daemon of daemons) await daemon.stop()
  }
}

const publishGroup: Group = (folder, one) => {
  say('writes in the modes of publishing')
  return publishModeFigures(folder, one)
}

const readerGroup = async (folder: string, one: string, ten: string): Promise<ReadonlyArray<Figure>> => {
  const figures: Array<Figure> = []
  for (const [scale, repo] of [
    [1, one],
    [10, ten],
  ] as const) {
    say(`whole-corpus reads on a reader thread, scale ${scale}`)
    figures.push(...(await readerFigures(folder, repo, scale)))
  }
  return figures
}

const nameGroup = async (folder: string, ten: string): Promise<ReadonlyArray<Figure>> => {
  say('names in the process, then a batch of misses')
  return [...nameFigures(), ...(await nameMissFigures(folder, ten))]
}

const moneyGroup = (folder: string, one: string): Promise<ReadonlyArray<Figure>> => {
  say('the ledger of money')
  return moneyFigures(folder, one)
}

const pointsGroup = (folder: string, ten: string): Promise<ReadonlyArray<Figure>> => {
  say('the batch of a month')
  return pointsFigures(folder, ten)
}

const closingGroup = (folder: string, one: string, ten: string): Promise<ReadonlyArray<Figure>> => {
  say('closes, and what they would do')
  return closingFigures(folder, one, ten)
}

/** Changes the world of scale 10, so it comes last. */
const searchGroup = async (folder: string, ten: string): Promise<ReadonlyArray<Figure>> => {
  const prose = await world(folder, proseScale)
  await setServerKeys(prose, { search_index: 'all', selfheal_interval_ms: 600_000 })
  say('/search over prose')
  const figures = [...(await proseFigures(folder, prose))]
  say('generated lines')
  figures.push(...(await lineFigures()))
  say('indexes at boot and while they build')
  return [...figures, ...(await searchBootFigures(folder, ten))]
}

const fleetGroup = (folder: string, ten: string): Promise<ReadonlyArray<Figure>> => {
  say('the watch of a fleet, and a day of five hosts')
  return fleetFigures(folder, ten)
}

type Group = (folder: string, one: string, ten: string) => Promise<ReadonlyArray<Figure>>

const chatGroup: Group = (folder, one, ten) => {
  say('dispatches, answers and messages of the chat')
  return chatFigures(folder, one, ten)
}

const transcriptGroup: Group = folder => {
  say('the index of transcripts')
  return transcriptFigures(folder)
}

const scrapeGroup = async (folder: string, repo: string): Promise<ReadonlyArray<Figure>> => {
  say('scrapes')
  const daemon = await startBenchDaemon({ repo, state: await mkdtemp(join(folder, 'state-')) })
  try {
    return await scrapeFigures(daemon)
  } finally {
    await daemon.stop()
  }
}

const tokenGroup = (folder: string, one: string): Promise<ReadonlyArray<Figure>> => {
  say('one row with a token and without')
  return tokenFigures(folder, one)
}

/** Groups of figures by the word that `--only` picks them by. `changes` looks at HEAD before each request, `threads` seldom again. */
const groups: ReadonlyArray<readonly [word: string, group: Group]> = [
  ['boots', bootFigures],
  ['commands', () => Promise.resolve(commandFigures())],
  ['kernel', () => kernelFigures()],
  ['reads', (folder, one) => smallFigures(folder, one, rounds)],
  ['scrapes', (folder, one) => scrapeGroup(folder, one)],
  ['records', folder => recordFigures(folder)],
  ['writes', writeGroup],
  ['publishing', publishGroup],
  ['converges', (folder, _one, ten) => convergeFigures(folder, ten)],
  ['changes', (folder, _one, ten) => largeFigures(folder, ten)],
  ['tokens', (folder, one) => tokenGroup(folder, one)],
  ['refusals', () => Promise.resolve(refusalTimeFigures())],
  ['threads', readerGroup],
  ['names', (folder, _one, ten) => nameGroup(folder, ten)],
  ['money', (folder, one) => moneyGroup(folder, one)],
  ['points', (folder, _one, ten) => pointsGroup(folder, ten)],
  ['closing', closingGroup],
  ['fleet', (folder, _one, ten) => fleetGroup(folder, ten)],
  ['chat', chatGroup],
  ['search', (folder, _one, ten) => searchGroup(folder, ten)],
  ['transcripts', transcriptGroup],
]

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    ratios: { type: 'boolean', default: false },
  },
})

/** The groups whose bars are ratios of one run, over the small world, with what `kronika --version` takes. */
const ratioFigures = async (folder: string): Promise<ReadonlyArray<Figure>> => {
  const one = await world(folder, 1)
  await lookSeldom(one)
  const measure = async (): Promise<ReadonlyArray<Figure>> => [
    ...(await smallFigures(folder, one, ratioRounds)),
    ...(await recordFigures(folder)),
    ...(await kernelFigures()),
    ...commandFigures(),
  ]
  // One attempt takes a minute and a half.
  return measureUntilHeld(measure, { most: 3, limitMs: 240_000, monotonicMs: () => performance.now() })
}

interface Failed {
  readonly group: string
  readonly reason: string
}

const secondsSince = (startedMs: number): string => ((performance.now() - startedMs) / 1000).toFixed(0)

/** Runs the groups one after another, and prints each when it is done. */
const runGroups = async (
  chosen: typeof groups,
  folder: string,
): Promise<{ readonly figures: ReadonlyArray<Figure>; readonly failed: ReadonlyArray<Failed> }> => {
  const [one, ten] = [await world(folder, 1), await world(folder, 10)]
  await lookSeldom(one)
  const figures: Array<Figure> = []
  const failed: Array<Failed> = []
  for (const [word, group] of chosen) {
    const startedMs = performance.now()
    try {
      const before = measureSlowness()
      const measured = await group(folder, one, ten)
      const slowness = [before, measureSlowness()] as const
      const seen = measured.map(figure => onMachine(figure, slowness))
      say(
        `\n${word}: ${secondsSince(startedMs)} s, the machine ${slowness.map(x => x.toFixed(2)).join(' and ')} times as slow as its reference`,
      )
      if (!options.json) process.stdout.write(`${figureTable(seen, figures.length === 0)}\n`)
      figures.push(...seen)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      say(`\n${word}: FAILED after ${secondsSince(startedMs)} s: ${reason}`)
      failed.push({ group: word, reason })
    }
  }
  return { figures, failed }
}

const measureFigures = async (): ReturnType<typeof runGroups> => {
  if (!existsSync('dist/src/main.js')) throw new Error('nothing is built: npm run build')
  const chosen = groups.filter(([word]) => word.includes(options.only))
  if (chosen.length === 0) throw new Error(`--only is one of ${groups.map(([word]) => word).join(', ')}`)
  say(
    `load of the machine before: ${(loadavg()[0] ?? Number.NaN).toFixed(2)} processes on ${cpus().length} processors`,
  )
  const folder = await mkdtemp(join(tmpdir(), 'kronika-bench-'))
  try {
    if (!options.ratios) return await runGroups(chosen, folder)
    const figures = await ratioFigures(folder)
    if (!options.json) process.stdout.write(`${figureTable(figures)}\n`)
    return { figures, failed: [] }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const startedMs = performance.now()
const { figures, failed } = await measureFigures()
if (options.json) process.stdout.write(`${JSON.stringify({ figures, failed })}\n`)
for (const { group, reason } of failed) say(`FAILED ${group}: ${reason}`)
const count = (verdict: Verdict): number => figures.filter(one => verdictOf(one) === verdict).length
say(`${secondsSince(startedMs)} s: ${count('ok')} ok, ${count('unsure')} unsure, ${count('MISSED')} missed`)
process.exitCode = figures.every(holds) && failed.length === 0 ? 0 : 1
