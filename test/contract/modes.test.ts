import { equal } from 'node:assert/strict'
import { left } from 'fp-ts/lib/Either.js'
import { afterEach, describe, it } from 'mocha'
import { refuse } from '#protocol/refusal.js'
import { nodeView, type TestFront, testFront } from '#test/support/front.js'
import { checkRefused } from './bench.js'

describe('POST /admin/mode where the mode cannot be set', () => {
  let front: TestFront | null = null
  afterEach(async () => {
    await front?.close()
    front = null
  })

  for (const [tag, status] of [
    ['NoRepository', 409],
    ['DiskRefused', 503],
    ['Overloaded', 503],
  ] as const)
    it(`is ${status} ${tag}, and still answers a dry run`, async () => {
      const setMode = () => Promise.resolve(left(refuse(tag, 'It cannot be set.')))
      front = await testFront({ node: nodeView({ setMode }) })
      const ask = { method: 'POST', body: '{"mode":"read-write"}' }
      checkRefused(await front.client.ask('/admin/mode', ask), status, tag)
      equal((await front.client.ask('/admin/mode?dryRun=true', ask)).text, '{"mode":"ReadWrite"}')
    })
})
