import { deepEqual, equal } from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, it } from 'mocha'
import {
  type NamedRight,
  namedCaller,
  type TokenRecord,
  tokenHash,
} from '#src/domain/identity/credentials/tokens.js'
import { nodeView, nowMs, type TestFront, testFront } from '#test/support/front.js'
import { worldOf } from '#test/support/world.js'
import { makeWritingWorld } from '#test/support/writing-world.js'

const token = 'named_of.the-tests'

describe('a token that ends while the body of its request is on the way', () => {
  let front: TestFront
  let kept: Map<string, TokenRecord<NamedRight>>
  let lateMs: number
  let minted: number
  let meanwhile: () => void
  const keep = (expiresMs: number | null): void => {
    const hash = tokenHash(token)
    kept.set(hash.toString('hex'), {
      hash,
      right: { id: '1', name: 'bot', capabilities: ['token.manage', 'entity.write'], expiresMs },
    })
  }
  beforeEach(async () => {
    kept = new Map()
    lateMs = 0
    minted = 0
    meanwhile = () => undefined
    const world = worldOf({ '.svc/format.json': '{"format": 2}' })
    const node = nodeView()
    front = await testFront({
      snapshot: world,
      kinds: { named_: namedCaller(hash => kept.get(hash) ?? null) },
      clock: { nowMs: () => nowMs + lateMs, monotonicMs: () => performance.now() },
      node: {
        ...node,
        namedTokens: {
          ...node.namedTokens,
          mint: (wanted, atMs) => {
            minted += 1
            return node.namedTokens.mint(wanted, atMs)
          },
        },
      },
      write: (command, plan) => {
        meanwhile()
        return makeWritingWorld(world, { nowMs: nowMs + lateMs, keeps: true, plan }).write(command)
      },
    })
  })
  afterEach(() => front.close())
  /** Sends five bytes of a body, runs `end`, then sends the rest; resolves to the status. */
  const slow = async (path: string, body: string, end: () => void): Promise<number> => {
    const socket = connect(front.front.apiPort, '127.0.0.1')
    const head = [
      `POST /v1/api${path} HTTP/1.1`,
      'Host: 127.0.0.1',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`)
    await new Promise(resolve => setTimeout(resolve, 50))
    end()
    socket.write(body.slice(5))
    let text = ''
    socket.on('data', part => {
      text += String(part)
    })
    await once(socket, 'close')
    return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])
  }

  const wish = JSON.stringify({ name: 'heir', capabilities: ['token.manage'] })
  const entity = JSON.stringify({ name: 'Karczma', type: 'Lokacja' })

  it('is nobody’s by then: revoked or expired, it mints and writes nothing', async () => {
    const statuses: Array<number> = []
    for (const [path, body] of [
      ['/tokens', wish],
      ['/entities', entity],
    ] as const) {
      keep(null)
      statuses.push(await slow(path, body, () => kept.clear()))
      keep(nowMs + 1000)
      statuses.push(
        await slow(path, body, () => {
          lateMs = 1000
        }),
      )
      lateMs = 0
    }
    deepEqual([statuses, minted], [[401, 401, 401, 401], 0])
  })

  it('and one that stands acts, however slow its body', async () => {
    keep(nowMs + 1000)
    equal(await slow('/entities', entity, () => undefined), 201)
  })

  it('is nobody’s where the write waits for the gate, too', async () => {
    keep(null)
    meanwhile = () => kept.clear()
    equal(await slow('/entities', entity, () => undefined), 401)
  })
})
