import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gitText } from '#src/adapters/git/git-command.js'
import { type BenchDaemon, startBenchDaemon } from './daemon.js'
import { type Figure, figureAtMost, median } from './figure.js'
import { commitAll } from './server-keys.js'

const sessionCount = 500
const characterCount = 100
const namesOfSession = 4
const dryRuns = 15
/** Months without sessions of the world's own; each is settled once. */
const months = ['2009-01', '2009-02', '2009-03', '2009-04', '2009-05'] as const

const characterAt = (at: number): string => `Pomiarzanin ${(at % characterCount) + 1}`

const charactersText = Array.from(
  { length: characterCount },
  (_, at) => `### ${characterAt(at)}\n- @typ: Postać\n- @pu_startowe: 20\n`,
).join('\n')

/** A month of sessions, each with PU of some characters. */
const monthText = (month: string): string =>
  Array.from({ length: sessionCount }, (_, at) => {
    const day = String((at % 28) + 1).padStart(2, '0')
    const lines = Array.from(
      { length: namesOfSession },
      (_, nth) => `    - ${characterAt(at + nth * 7)}: 0.05`,
    )
    return [
      `### ${month}-${day}, Pomiar ${at + 1}, Solmyr`,
      '',
      'Opis sesji.',
      '',
      '- @PU:',
      ...lines,
      '',
    ].join('\n')
  }).join('\n')

/** A clone of a world with the characters and the months. */
const worldWithMonths = async (folder: string, world: string): Promise<string> => {
  const repo = await mkdtemp(join(folder, 'points-'))
  await gitText(['clone', '--quiet', world, repo], { cwd: folder, env: { GIT_ALLOW_PROTOCOL: 'file' } })
  await mkdir(join(repo, 'sesje'), { recursive: true })
  await writeFile(join(repo, 'encje/pomiar.md'), charactersText)
  for (const month of months) await writeFile(join(repo, `sesje/pomiar-${month}.md`), monthText(month))
  await gitText(['add', '--all'], { cwd: repo })
  await commitAll(repo, 'pomiar: miesiące')
  return repo
}

const awardMs = async ({ url, headers }: BenchDaemon, month: string, dryRun: boolean): Promise<number> => {
  const startedMs = performance.now()
  const answer = await fetch(`${url}/workflows/award-pu?dryRun=${dryRun}`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ month }),
  })
  const text = await answer.text()
  const endedMs = performance.now()
  const isWhole = text.includes(`"${month}-01, Pomiar 1, Solmyr"`) && text.includes(`"Applied":${!dryRun}`)
  if (answer.status !== 200 || !isWhole) throw new Error(`the award of ${month}: ${text.slice(0, 300)}`)
  return endedMs - startedMs
}

/** The batch of a month with 500 sessions: as a dry run, and applied without a push, which the remote decides. */
export const pointsFigures = async (folder: string, world: string): Promise<ReadonlyArray<Figure>> => {
  const repo = await worldWithMonths(folder, world)
  const daemon = await startBenchDaemon({ repo, state: await mkdtemp(join(folder, 'state-')) })
  try {
    const [planned, applied]: [Array<number>, Array<number>] = [[], []]
    for (const month of months) {
      const times: Array<number> = []
      for (let run = 0; run < dryRuns; run += 1) times.push(await awardMs(daemon, month, true))
      planned.push(median(times))
      applied.push(await awardMs(daemon, month, false))
    }
    const name = `a month of ${sessionCount} sessions, scale 10`
    return [
      figureAtMost(`${name}, dry run`, 'ms', 100, planned),
      figureAtMost(`${name}, applied, without the push`, 'ms', 500, applied),
    ]
  } finally {
    await daemon.stop()
  }
}
