import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { type BatchResult, NameBatchAnswer, ResolveAnswer, type ResolvedName } from '#protocol/lore/names.js'
import { type BenchDaemon, startBenchDaemon } from '#test/bench/daemon.js'
import { repositoryOf } from '#test/support/repository.js'

/** Options of `/resolve` beside the name. */
export interface AskOptions {
  readonly noFuzzy: boolean
}

/** The built daemon over a world of names. */
export interface NameDaemon {
  readonly resolveAll: (
    texts: ReadonlyArray<string>,
    options: AskOptions,
  ) => Promise<ReadonlyArray<BatchResult>>
  readonly resolve: (text: string, options: AskOptions) => Promise<ResolvedName | null>
}

/** Queries of one request: the body stays far below its limit. */
const batchLength = 5_000

const post = async (daemon: BenchDaemon, path: string, body: unknown): Promise<unknown> => {
  const answer = await fetch(`${daemon.url}${path}`, {
    method: 'POST',
    headers: { ...daemon.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 300)}`)
  return JSON.parse(text)
}

const askBatches = async (
  daemon: BenchDaemon,
  texts: ReadonlyArray<string>,
  options: AskOptions,
): Promise<ReadonlyArray<BatchResult>> => {
  const results: Array<BatchResult> = []
  for (let at = 0; at < texts.length; at += batchLength) {
    const queries = texts.slice(at, at + batchLength)
    const decoded = NameBatchAnswer.decode(await post(daemon, '/resolve/batch', { queries, ...options }))
    if (isLeft(decoded)) throw new Error('/resolve/batch answered in another shape')
    results.push(...decoded.right.items)
  }
  return results
}

const askOne = async (
  daemon: BenchDaemon,
  name: string,
  options: AskOptions,
): Promise<ResolvedName | null> => {
  const decoded = ResolveAnswer.decode(await post(daemon, '/resolve', { name, ...options }))
  if (isLeft(decoded)) throw new Error('/resolve answered in another shape')
  return decoded.right
}

/** Starts the built daemon over a world of these files, lets `ask` question it, and stops it. */
export const withDaemonOver = async <A>(
  files: Readonly<Record<string, string>>,
  ask: (daemon: NameDaemon) => Promise<A>,
): Promise<A> => {
  const repository = repositoryOf(files)
  const state = mkdtempSync(join(tmpdir(), 'kronika-evaluate-'))
  try {
    const daemon = await startBenchDaemon({ repo: repository.path, state })
    try {
      return await ask({
        resolveAll: (texts, options) => askBatches(daemon, texts, options),
        resolve: (text, options) => askOne(daemon, text, options),
      })
    } finally {
      await daemon.stop()
    }
  } finally {
    rmSync(state, { recursive: true, force: true })
    repository.dispose()
  }
}

/** The files of a world whose blocks have these headings, all of one type. */
export const worldOfHeadings = (names: ReadonlyArray<string>): Readonly<Record<string, string>> => ({
  'encje/indeks.md': names.map(name => `### ${name}\n- @typ: NPC\n`).join('\n'),
})
