import autocannon from 'autocannon'
import { isLeft } from 'fp-ts/lib/Either.js'
import { chanceOf } from '#src/demo/chance.js'
import { type CrowdSeen, CrowdWish } from './crowd.js'

/**
 * The crowd of `crowd.ts` in a process of its own, so that its work delays no measurement. It keeps every connection
 * busy for the given time, sends the statuses of the answers over IPC, and ends with its parent.
 */

const namesInBatch = 10_000
/** A client that gives up would leave its connection. */
const patienceS = 300
const dayMs = 86_400_000

const wish = CrowdWish.decode(JSON.parse(process.argv[2] ?? 'null'))
if (isLeft(wish)) throw new Error('the crowd needs its wish as JSON')
const { url, token, connections, seconds, seed, names } = wish.right
const chance = chanceOf(seed)
const { host, pathname: prefix } = new URL(url)

interface Sent {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
}

let sent = 0
/** Each is another one, so that no cache has its answer. */
const kinds: Readonly<Record<'batch' | 'day' | 'name' | 'lookalike', () => Sent>> = {
  batch: () => ({
    method: 'POST',
    path: '/resolve/batch',
    body: JSON.stringify({ queries: Array.from({ length: namesInBatch }, (_, at) => `Tłum ${sent} ${at}`) }),
  }),
  day: () => ({
    method: 'GET',
    path: `/entities?activeOn=${new Date(Date.UTC(2026, 0, 1) - sent * dayMs).toISOString().slice(0, 10)}`,
  }),
  name: () => ({ method: 'GET', path: `/entities/${encodeURIComponent(chance.pick(names))}` }),
  lookalike: () => ({
    method: 'POST',
    path: '/resolve',
    body: JSON.stringify({ name: `${chance.pick(names)} ${sent}` }),
  }),
}
/** How many of twenty requests are of a kind. */
const shares = { batch: 1, day: 2, name: 12, lookalike: 5 } as const
const drawn = (['batch', 'day', 'name', 'lookalike'] as const).flatMap(kind =>
  Array.from({ length: shares[kind] }, () => kind),
)

const next = () => {
  sent += 1
  const { path, ...rest } = kinds[chance.pick(drawn)]()
  // Made anew, because the length of a body is added to it.
  const headers = { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return { headers, ...rest, path: `${prefix}${path}` }
}

process.on('disconnect', () => process.exit(0))
const result = await autocannon({
  url,
  connections,
  duration: seconds,
  timeout: patienceS,
  requests: [{ setupRequest: next }],
})
const answers: Record<string, number> = {}
for (const [status, { count = 0 }] of Object.entries(result.statusCodeStats ?? {})) answers[status] = count
const seen: CrowdSeen = { answers, errors: result.errors }
process.send?.(seen, () => process.disconnect())
