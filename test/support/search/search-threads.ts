import type * as t from 'io-ts'
import { workerThreads } from '#src/adapters/worker-thread.js'
import { FromBuilder, FromRanker, type OpenSearchThreads } from '#src/node/search/threads/messages.js'
import { FromIndex, type OpenIndexThread } from '#src/node/transcripts/threads/messages.js'
import type { OpenThread } from '#src/ports/host.js'
import { bundleEntry } from '#test/support/bundle-entry.js'

/** Threads of an entry of a folder of `src/node`; the first one bundles it. */
const sourceThreads = <O, I>(
  name: string,
  says: t.Decoder<unknown, I>,
  area = 'search',
): OpenThread<O, I> => {
  let open: OpenThread<O, I> | null = null
  return events => {
    const entry = new URL(`../../../src/node/${area}/threads/${name}.ts`, import.meta.url)
    open ??= workerThreads({ entry: bundleEntry(entry, name), says, execArgv: [], heapMbMax: 512 })
    return open(events)
  }
}

/** The search threads of the daemon, from their sources. */
export const searchThreads: OpenSearchThreads = {
  ranker: sourceThreads('rank-thread', FromRanker),
  builder: sourceThreads('build-thread', FromBuilder),
}

/** The thread of the transcript index of the daemon, from its sources. */
export const transcriptThreads: OpenIndexThread = sourceThreads('index-thread', FromIndex, 'transcripts')
