import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gitText } from '#src/adapters/git/git-command.js'
import { collectsAtSignal, memoryBehindCollectionMb } from './collected-memory.js'
import { type BenchDaemon, startBenchDaemon } from './daemon.js'
import { type Figure, figureAtMost } from './figure.js'
import { percentile } from './percentile.js'

const transferCount = 20_000
const ownerCount = 200
const requestCount = 200

const ownerAt = (at: number): string => `Pomierzan ${(at % ownerCount) + 1}`

/** Owners with a purse each. */
const ownersText = Array.from({ length: ownerCount }, (_, at) =>
  [
    `### ${ownerAt(at)}\n- @typ: NPC\n`,
    `### Sakwa ${at + 1}\n- @typ: Przedmiot\n- @generyczne_nazwy: Korony Elanckie\n- @należy_do: ${ownerAt(at)}\n- @ilość: 1000\n`,
  ].join('\n'),
).join('\n')

const dayAt = (at: number): string =>
  new Date(Date.UTC(2010, 0, 1) + Math.floor(at / 4) * 86_400_000).toISOString().slice(0, 10)

/** A move of one Transfer for each, four a day, from one owner to one of the others. */
const movesText = Array.from({ length: transferCount }, (_, at) => {
  const day = dayAt(at)
  const [source, destination] = [ownerAt(at), ownerAt(at + 1 + (at % 7))]
  const transfers = [{ amount: 1 + (at % 9), denomination: 'koron', source, destination }]
  return `${JSON.stringify({ id: `p${at}`, at: `${day}T12:00:00Z`, day, by: '1', reason: 'Pomiar', transfers })}\n`
}).join('')

/** A clone of a world with the owners and their moves. */
const worldWithMoves = async (folder: string, world: string): Promise<string> => {
  const repo = await mkdtemp(join(folder, 'money-'))
  await gitText(['clone', '--quiet', world, repo], { cwd: folder, env: { GIT_ALLOW_PROTOCOL: 'file' } })
  await writeFile(join(repo, 'encje/pomiar.md'), ownersText)
  await mkdir(join(repo, '.svc/money'), { recursive: true })
  await writeFile(join(repo, '.svc/money/moves.jsonl'), movesText)
  const author = ['-c', 'user.name=Pomiar', '-c', 'user.email=pomiar@example.org']
  await gitText(['add', '--all'], { cwd: repo })
  await gitText([...author, 'commit', '--quiet', '-m', 'pomiar: pieniądze'], { cwd: repo })
  return repo
}

/** Pages that no other request asked for, so that none is answered from the memo. */
const queryAt = (at: number): string => {
  const page = `limit=50&offset=${at}`
  return at % 2 === 0 ? `entity=${encodeURIComponent(ownerAt(at))}&${page}` : `denomination=koron&${page}`
}

const askMs = async ({ url, headers }: BenchDaemon, query: string): Promise<number> => {
  const startedMs = performance.now()
  const answer = await fetch(`${url}/audit/ledger?${query}`, { headers })
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`/audit/ledger?${query}: ${answer.status}`)
  return performance.now() - startedMs
}

/**
 * `GET /audit/ledger` over 20,000 Transfers: how long a page takes, and what the ledger holds beside the snapshot
 * that it is made from.
 */
export const moneyFigures = async (folder: string, world: string): Promise<ReadonlyArray<Figure>> => {
  const repo = await worldWithMoves(folder, world)
  const state = await mkdtemp(join(folder, 'state-'))
  const daemon = await startBenchDaemon({ repo, state, node: collectsAtSignal })
  try {
    const beforeMb = await memoryBehindCollectionMb(daemon.pid)
    const firstMs = await askMs(daemon, 'limit=1')
    const seen: Array<number> = []
    for (let at = 0; at < requestCount; at += 1) seen.push(await askMs(daemon, queryAt(at)))
    const moreMb = (await memoryBehindCollectionMb(daemon.pid)) - beforeMb
    const rounds = [0, 1, 2, 3].map(nth => percentile(seen.slice(nth * 50, nth * 50 + 50), 0.5))
    const [name, note] = [`/audit/ledger over ${transferCount} Transfers`, `first ${firstMs.toFixed(0)} ms`]
    return [
      figureAtMost(`${name}, p50`, 'ms', 5, rounds, note),
      figureAtMost(`${name}, memory more`, 'MB', 16, moreMb),
    ]
  } finally {
    await daemon.stop()
  }
}
