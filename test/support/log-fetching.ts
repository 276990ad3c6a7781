import { right } from 'fp-ts/lib/Either.js'
import { stateOfFault } from '#protocol/transcripts/log-writes.js'
import type { GuardedAnswer } from '#src/adapters/outbound/guarded-fetch.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { noArchive } from '#src/domain/transcripts/archive.js'
import { parseTranscript } from '#src/domain/transcripts/parse.js'
import { takeLogBy } from '#src/node/archive/log-fetching.js'
import type { LogFetching } from '#src/ports/log-fetching.js'
import type { LogFailure, LogFailures } from '#src/ports/transcripts.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { noMeter } from './no-meter.js'
import { archiveTexts, hostConfig } from './world.js'

/** What a host of transcripts answers for an address: a text, or an answer; any other address is 404. */
export type Served = Readonly<
  Record<string, string | Partial<Extract<GuardedAnswer, { readonly _tag: 'Answer' }>>>
>

const nowhere = { archive: noArchive }

export interface TestFetching extends LogFetching {
  readonly failures: LogFailures
  /** The addresses that were asked, with their headers. */
  readonly asked: ReadonlyArray<{ readonly url: string; readonly headers: Readonly<Record<string, string>> }>
}

/** The fetching of a host whose network has these answers, over the archive that `world` has. */
export const fetchingOf = (
  served: Served,
  world: () => Snapshot | null = () => null,
  config = '{"integrations": {"logs": {"hosts": ["logi.example", "notatki.example"]}}}',
): TestFetching => {
  const asked: Array<TestFetching['asked'][number]> = []
  const markers = new Map<string, LogFailure>()
  const read: LogFetching['read'] = ({ path }) => {
    const text = archiveTexts(world() ?? nowhere).get(path)?.text
    return Promise.resolve(text === undefined ? null : Buffer.from(text))
  }
  const parse: LogFetching['parse'] = (bytes, name, address) =>
    Promise.resolve(atOnce(parseTranscript(bytes, { name, address })))
  const take = takeLogBy(
    {
      read,
      parse,
      meter: noMeter,
      fetch: ({ url, ownHeaders = {} }) => {
        asked.push({ url, headers: ownHeaders })
        const answer = served[url]
        const host = new URL(url).hostname
        const plain = {
          _tag: 'Answer' as const,
          status: 200,
          host,
          headers: { 'content-type': 'text/plain' },
        }
        if (answer === undefined) return Promise.resolve({ ...plain, status: 404, bytes: Buffer.alloc(0) })
        const given = typeof answer === 'string' ? { bytes: Buffer.from(answer) } : answer
        return Promise.resolve({ ...plain, bytes: Buffer.alloc(0), ...given })
      },
    },
    hostConfig(config),
  )
  return {
    asked,
    read,
    parse,
    failures: { all: () => markers },
    take: async (request, isKept) => {
      const taken = await take(request, new AbortController().signal)
      if (isKept && taken._tag === 'Failed') {
        const { reason, status } = taken
        const attempts = (markers.get(request.address)?.attempts ?? 0) + 1
        markers.set(request.address, {
          state: stateOfFault(reason),
          reason,
          upstreamStatus: status,
          attempts,
          atMs: 0,
        })
      } else if (isKept) markers.delete(request.address)
      return right(taken)
    },
  }
}
