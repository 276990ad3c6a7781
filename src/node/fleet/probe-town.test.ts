import { deepEqual, ok } from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { afterEach, describe, it } from 'mocha'
import { attemptsMost } from '#src/domain/fleet/peers.js'
import { realHost } from './host-clocks.js'
import { probeTown } from './peers.js'

describe('a probe of a town over HTTP', () => {
  let close: () => Promise<unknown>
  let asked: number
  const probe = async (listener: RequestListener) => {
    asked = 0
    const server = createServer((req, res) => {
      asked += 1
      listener(req, res)
    })
    close = () => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(resolve))
    }
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const url = `http://127.0.0.1:${port}/v1/api`
    const target = { town: 'Deyja', url }
    const times = { timeoutMs: 1_000, lateMs: 0 }
    return (await probeTown(realHost, target, times, new AbortController().signal)).result
  }

  afterEach(() => close())

  it('asks a silent town again until it answers', async () => {
    const result = await probe((_, res) => {
      if (asked > 2) res.end('no card')
    })
    deepEqual(result, { _tag: 'Failed', kind: 'fleet-status', why: 'bad_card' })
    ok(asked >= 3)
  })

  it('opens one connection to a town whose answer does not end', async () => {
    const result = await probe((_, res) => void res.write('{'))
    deepEqual(result, { _tag: 'Failed', kind: 'fleet-status', why: 'timeout' })
    ok(asked < attemptsMost / 2)
  })
})
