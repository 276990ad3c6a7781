import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gitText } from '#src/adapters/git/git-command.js'
import { type BenchDaemon, processorMs, startBenchDaemon } from './daemon.js'
import { blockRatios, type Figure, figureAtMost, figureWithoutBar, median } from './figure.js'
import { percentile } from './percentile.js'
import { commitAll, setServerKeys } from './server-keys.js'
import { openWriter, writeTargetsOf } from './writer.js'

const warmUp = 5
const turns = 40
const turnsInBlock = 5
const impacts = 60
const belowCount = 5_000
const place = 'Pomiarowo'

/** Names of people who are below the place, in twenty villages of it. */
const entitiesText = [
  `### ${place}\n- @typ: Lokacja\n`,
  ...Array.from(
    { length: 20 },
    (_, at) => `### Przysiółek ${at + 1}\n- @typ: Lokacja\n- @lokacja: ${place}\n`,
  ),
  ...Array.from(
    { length: belowCount - 20 },
    (_, at) => `### Pomierzanin ${at + 1}\n- @typ: NPC\n- @lokacja: Przysiółek ${(at % 20) + 1}\n`,
  ),
  ...['Płatnik', 'Biorca'].map(
    name =>
      `### ${name}\n- @typ: NPC\n\n### Sakwa (${name})\n- @typ: Przedmiot\n- @generyczne_nazwy: Korony Elanckie\n- @należy_do: ${name}\n- @ilość: 100000\n`,
  ),
].join('\n')

const dayAt = (at: number): string =>
  new Date(Date.UTC(2010, 0, 1) + at * 86_400_000).toISOString().slice(0, 10)

type Kind = 'zamknięcie' | 'skutki' | 'wieść'

const headerOf = (kind: Kind, at: number): string => `${dayAt(at)}, Pomiar ${kind} ${at + 1}, Solmyr`

/** A session with effects of each kind, and Intel to one person or to all below the place. */
const sessionText = (kind: Kind, at: number): string =>
  [
    `### ${headerOf(kind, at)}`,
    '',
    'Opis sesji.',
    '',
    `- @Lokacje:\n    - ${place}`,
    `- @Zmiany:\n    - Pomierzanin ${at + 1}\n        - @info: Po pomiarze ${at + 1}.`,
    '- @Transfer: 5 koron, Płatnik -> Biorca',
    `- @Intel:\n    - ${kind === 'wieść' ? `Lokacja/${place}` : 'Biorca'}: Wieść ${at + 1}.`,
    '',
  ].join('\n')

const sessionsOf = (kind: Kind, count: number): string =>
  Array.from({ length: count }, (_, at) => sessionText(kind, at)).join('\n')

/** A clone of a world with the place and the open sessions. */
const worldWithSessions = async (folder: string, world: string): Promise<string> => {
  const repo = await mkdtemp(join(folder, 'closing-'))
  await gitText(['clone', '--quiet', world, repo], { cwd: folder, env: { GIT_ALLOW_PROTOCOL: 'file' } })
  await mkdir(join(repo, 'sesje'), { recursive: true })
  await writeFile(join(repo, 'encje/pomiar.md'), entitiesText)
  await writeFile(join(repo, 'sesje/pomiar-zamkniecia.md'), sessionsOf('zamknięcie', warmUp + turns))
  await writeFile(join(repo, 'sesje/pomiar-skutki.md'), sessionsOf('skutki', impacts))
  await writeFile(join(repo, 'sesje/pomiar-wiesci.md'), sessionsOf('wieść', impacts))
  await gitText(['add', '--all'], { cwd: repo })
  await commitAll(repo, 'pomiar: sesje')
  await setServerKeys(repo, { publish_mode: 'none' })
  return repo
}

/** Asks for the effects of an open session, of which no other request asked; `has`: what the answer must have. */
const impactMs = async ({ url, headers }: BenchDaemon, header: string, has: string): Promise<number> => {
  const startedMs = performance.now()
  const answer = await fetch(`${url}/sessions/${encodeURIComponent(header)}/close-impact`, { headers })
  const text = await answer.text()
  const endedMs = performance.now()
  const isWhole = text.includes('"Blocked":[]') && text.includes('"State":"applied"') && text.includes(has)
  if (answer.status !== 200 || !isWhole) throw new Error(`the effects of ${header}: ${text.slice(0, 300)}`)
  return endedMs - startedMs
}

const closeMs = async ({ url, headers }: BenchDaemon, header: string): Promise<number> => {
  const startedMs = performance.now()
  const answer = await fetch(`${url}/workflows/close-session`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ header }),
  })
  const endedMs = performance.now()
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`the close of ${header}: ${text.slice(0, 300)}`)
  return endedMs - startedMs
}

/** Medians of four rounds of the effects of sessions, with the time of the first and the processor time of each. */
const impactRounds = async (daemon: BenchDaemon, kind: Kind, has: string) => {
  const firstMs = await impactMs(daemon, headerOf(kind, 0), has)
  const seen: Array<number> = []
  const usedBefore = await processorMs(daemon.pid)
  for (let at = 1; at < impacts; at += 1) seen.push(await impactMs(daemon, headerOf(kind, at), has))
  const usedAfter = await processorMs(daemon.pid)
  const used =
    usedBefore === null || usedAfter === null ? Number.NaN : (usedAfter - usedBefore) / (impacts - 1)
  const rounds = [0, 1, 2, 3].map(nth => percentile(seen.slice(nth * 15, nth * 15 + 15), 0.5))
  return { rounds, note: `first ${firstMs.toFixed(1)} ms, processor ${used.toFixed(1)} ms each` }
}

/** Closes and writes in turns without a remote, the first turns not counted. */
const closesAndWrites = async (daemon: BenchDaemon, repo: string) => {
  const [write, targets] = [openWriter(daemon, 1), await writeTargetsOf(repo)]
  const seen: { readonly closes: Array<number>; readonly writes: Array<number> } = { closes: [], writes: [] }
  for (let turn = 0; turn < warmUp + turns; turn += 1) {
    const target = targets[turn % targets.length]
    if (target === undefined) throw new Error('a world without entities')
    const { askedMs, answeredMs } = await write(target, `pomiar zamknięć ${turn}`)
    const closedMs = await closeMs(daemon, headerOf('zamknięcie', turn))
    if (turn < warmUp) continue
    seen.writes.push(answeredMs - askedMs)
    seen.closes.push(closedMs)
  }
  return seen
}

const withDaemon = async <A>(
  folder: string,
  world: string,
  work: (daemon: BenchDaemon, repo: string) => Promise<A>,
): Promise<A> => {
  const repo = await worldWithSessions(folder, world)
  const daemon = await startBenchDaemon({ repo, state: await mkdtemp(join(folder, 'state-')) })
  try {
    return await work(daemon, repo)
  } finally {
    await daemon.stop()
  }
}

const closeFigureOf = ({ closes, writes }: Awaited<ReturnType<typeof closesAndWrites>>) => ({
  ratios: blockRatios(closes, writes, turnsInBlock),
  note: `${median(closes).toFixed(1)} ms against ${median(writes).toFixed(1)} ms`,
})

/**
 * A close, without the push, which the remote decides, and what it would do. At scale 10 a close has no bar: it
 * replays the effects of ten times as many closed sessions.
 */
export const closingFigures = async (
  folder: string,
  one: string,
  ten: string,
): Promise<ReadonlyArray<Figure>> => {
  const small = closeFigureOf(await withDaemon(folder, one, closesAndWrites))
  return withDaemon(folder, ten, async (daemon, repo) => {
    const impact = await impactRounds(daemon, 'skutki', '"Count":1')
    const wide = await impactRounds(daemon, 'wieść', `"Count":${belowCount + 1}`)
    const large = closeFigureOf(await closesAndWrites(daemon, repo))
    const wideName = `close-impact with Intel to ${belowCount} entities below a place, scale 10, p50`
    return [
      figureAtMost('a close against a PATCH, without the push, scale 1', 'x', 1.5, small.ratios, small.note),
      figureWithoutBar('a close against a PATCH, without the push, scale 10', 'x', large.ratios, large.note),
      figureAtMost('close-impact, scale 10, p50', 'ms', 10, impact.rounds, impact.note),
      figureAtMost(wideName, 'ms', 20, wide.rounds, wide.note),
    ]
  })
}
