import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bootFigures, commandFigures } from './boots.js'
import { changeFigures, convergeFigures } from './changes.js'
import { chatAnswerFigures } from './chat/answers.js'
import { backlogFigures } from './chat/backlog.js'
import { withChat } from './chat/chat.js'
import { receiptFigures } from './chat/receipts.js'
import { type Figure, holds } from './figure.js'
import { fleetFigures } from './fleet/fleet.js'
import { chooseGroups, type Group, runGroups } from './groups.js'
import { kernelFigures } from './kernel.js'
import { nameFigures } from './names.js'
import { publishModeFigures } from './publish-modes.js'
import { readerFigures } from './readers.js'
import { readFigures } from './reads.js'
import { recordFigures } from './records.js'
import { refusalTimeFigures } from './refusal-times.js'
import { scrapeFigures } from './scrapes.js'
import { searchBootFigures } from './search-boot.js'
import { lineFigures } from './search-lines.js'
import { proseFigures } from './search-prose.js'
import { tokenFigures } from './tokens.js'
import { writeWorld } from './worlds.js'
import { writeFigures } from './writes.js'

/**
 * `npm run bench [-- --json --only writes]`: the bars of "Speed", measured on the built node in one run. Each group prints
 * its table when it is done. Leaves with 1 when a bar is missed or a group failed. `--only` takes one group, or those that
 * begin with its word: `chat` is `chat-receipts`, `chat-backlog` and `chat-answers`. `--ratios` takes the groups that
 * compare with a twin in the same run, judged by floors, for a machine that others use. `--json` prints one value at the
 * end, as `BenchReport` has it; the tables go to the other output then.
 */

const say = (text: string): void => void process.stderr.write(`${text}\n`)

/** The worlds that groups share. Each is written when a group first needs it; what a group changes it sets back. */
const openWorlds = (folder: string) => {
  const written = new Map<number, Promise<string>>()
  const write = async (scale: number): Promise<string> => {
    const startedMs = performance.now()
    const repo = await writeWorld(folder, scale)
    say(`world at scale ${scale}: ${((performance.now() - startedMs) / 1000).toFixed(1)} s`)
    return repo
  }
  return (scale: 1 | 10): Promise<string> => {
    const known = written.get(scale) ?? write(scale)
    written.set(scale, known)
    return known
  }
}

/** `folder` is one that the run removes at its end. */
const allGroups = (folder: string): ReadonlyArray<Group> => {
  const world = openWorlds(folder)
  const onOne =
    (measure: (folder: string, one: string) => Promise<ReadonlyArray<Figure>>): Group['measure'] =>
    async () =>
      measure(folder, await world(1))
  const onTen =
    (measure: (folder: string, ten: string) => Promise<ReadonlyArray<Figure>>): Group['measure'] =>
    async () =>
      measure(folder, await world(10))
  const onBoth =
    (
      measure: (folder: string, one: string, ten: string) => Promise<ReadonlyArray<Figure>>,
    ): Group['measure'] =>
    async () =>
      measure(folder, await world(1), await world(10))
  const reads = { pairs: 9, seconds: 0.5 }
  const records = { pairs: 15, seconds: 0.7 }
  return [
    { word: 'boots', measure: onBoth(bootFigures) },
    { word: 'commands', measure: commandFigures },
    { word: 'kernel', measure: kernelFigures },
    { word: 'reads', measure: onOne((_, one) => readFigures(folder, one, reads)) },
    { word: 'scrapes', measure: onOne(scrapeFigures) },
    { word: 'records', measure: () => recordFigures(folder, records) },
    { word: 'writes', measure: onBoth(writeFigures) },
    { word: 'publishing', measure: onOne(publishModeFigures) },
    { word: 'converges', measure: onTen(convergeFigures) },
    { word: 'changes', measure: onTen(changeFigures) },
    { word: 'tokens', measure: onOne(tokenFigures) },
    { word: 'refusals', measure: () => Promise.resolve(refusalTimeFigures()) },
    { word: 'threads', measure: onBoth(readerFigures) },
    { word: 'names', measure: onTen(nameFigures) },
    { word: 'fleet', measure: fleetFigures },
    {
      word: 'chat-receipts',
      measure: onTen((_, ten) => withChat(folder, ten, clones => receiptFigures(folder, clones))),
    },
    {
      word: 'chat-backlog',
      measure: onOne((_, one) => withChat(folder, one, ({ mine }) => backlogFigures(folder, mine))),
    },
    {
      word: 'chat-answers',
      measure: onOne((_, one) =>
        withChat(folder, one, ({ mine }, platform) => chatAnswerFigures(folder, mine, platform)),
      ),
    },
    { word: 'search-prose', measure: () => proseFigures(folder) },
    { word: 'search-lines', measure: () => lineFigures() },
    { word: 'search-boot', measure: onTen(searchBootFigures) },
  ]
}

/** The groups whose bars are ratios of one run, over the small world, with what `kronika --version` takes. */
const ratioGroups = (folder: string): ReadonlyArray<Group> => {
  const world = openWorlds(folder)
  return [
    { word: 'reads', measure: async () => readFigures(folder, await world(1), { pairs: 7, seconds: 0.4 }) },
    { word: 'records', measure: () => recordFigures(folder, { pairs: 11, seconds: 0.5 }) },
    { word: 'kernel', measure: kernelFigures },
    { word: 'commands', measure: commandFigures },
  ]
}

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    ratios: { type: 'boolean', default: false },
  },
})

if (!existsSync('dist/src/main.js')) throw new Error('nothing is built: npm run build')
const folder = await mkdtemp(join(tmpdir(), 'kronika-bench-'))
try {
  const groups = chooseGroups((options.ratios ? ratioGroups : allGroups)(folder), options.only)
  const print = options.json ? say : (text: string): void => void process.stdout.write(`${text}\n`)
  print(`load of the machine before: ${loadavg()[0]?.toFixed(2) ?? ''} on ${cpus().length} processors`)
  const report = await runGroups(groups, folder, { isShared: options.ratios, print, say })
  if (options.json) process.stdout.write(`${JSON.stringify(report)}\n`)
  const isGood = report.failed.length === 0 && report.groups.every(group => group.figures.every(holds))
  process.exitCode = isGood ? 0 : 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
