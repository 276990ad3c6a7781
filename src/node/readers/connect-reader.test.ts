import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { ReaderConnection } from '#actors/reader-pool/exchange.js'
import { eventually } from '#test/support/daemon.js'
import { noMeter } from '#test/support/no-meter.js'
import { inputsOf } from '#test/support/world.js'
import { connectReader, type ToReader } from './readers.js'

interface Posted {
  readonly message: ToReader
  /** The turn of the event loop in which it was sent. */
  readonly turn: number
}

/** A connection to a fake thread that records what it gets. */
const notes = (): {
  readonly connection: ReaderConnection
  readonly posted: Array<Posted>
  readonly stop: () => void
} => {
  const posted: Array<Posted> = []
  let turn = 0
  let counting = true
  const count = (): void => {
    turn += 1
    if (counting) setImmediate(count)
  }
  count()
  const ignore = (): void => undefined
  const connection = connectReader({
    open: () => ({
      post: message => {
        structuredClone(message)
        posted.push({ message, turn })
      },
      end: ignore,
    }),
    joinSearch: () => ignore,
    clock: { monotonicMs: () => 0 },
    meter: noMeter,
  })({ up: ignore, followed: ignore, answered: ignore, ended: ignore })
  return {
    connection,
    posted,
    stop: () => {
      counting = false
    },
  }
}

const waitForFollow = (posted: ReadonlyArray<Posted>): Promise<unknown> =>
  eventually(
    () => Promise.resolve(posted.at(-1)?.message._tag),
    tag => tag === 'Follow',
  )

const block = (at: number): string => `### Byt ${at}\n- @typ: NPC\n- @info: ${'opis '.repeat(2_000)}\n`

describe('the connection to a reader thread', () => {
  const files: Record<string, string> = Object.fromEntries(
    Array.from({ length: 400 }, (_, at) => [`encje/byt-${String(at).padStart(3, '0')}.md`, block(at)]),
  )
  const first = inputsOf(files)
  const second = inputsOf({ ...files, 'encje/byt-007.md': '### Byt 7\n- @typ: NPC\n' }, {}, first)

  it('tells a large world in parts, one a turn of the loop', async () => {
    const { connection, posted, stop } = notes()
    connection.follow({ generation: 1, inputs: first })
    await waitForFollow(posted)
    stop()
    const parts = posted.flatMap(({ message }) => (message._tag === 'Files' ? [message.files] : []))
    ok(parts.length > 10, `parts: ${parts.length}`)
    equal(parts.flat().length, 400)
    const chars = parts.map(part => part.reduce((sum, file) => sum + file.text.length, 0))
    ok(Math.max(...chars) < 300_000, `characters of the longest part: ${Math.max(...chars)}`)
    equal(new Set(posted.map(one => one.turn)).size, posted.length)
  })

  it('tells of a small write its file, and nothing that grows with the world', async () => {
    const { connection, posted, stop } = notes()
    connection.follow({ generation: 1, inputs: first })
    await waitForFollow(posted)
    posted.length = 0
    connection.follow({ generation: 2, inputs: second })
    await waitForFollow(posted)
    stop()
    deepEqual(
      posted.map(({ message }) => message),
      [
        { _tag: 'Files', files: [second.lore.get('encje/byt-007.md')?.source] },
        {
          _tag: 'Follow',
          delta: {
            generation: 2,
            commit: null,
            id: second.id,
            day: second.day,
            config: null,
            paths: null,
            language: null,
            lexicon: null,
            works: null,
            treeHeads: new Map(),
            archive: null,
            findings: [],
          },
        },
      ],
    )
  })
})
