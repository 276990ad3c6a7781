import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import * as t from 'io-ts'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { NamedTokenList, NamedTokenMinted } from '#protocol/identity/sign-in.js'
import { namedCaller } from '#src/domain/identity/credentials/tokens.js'
import { type HostNamedTokens, hostNamedTokens } from '#src/node/identity/tokens.js'
import type { Audit } from '#src/ports/records.js'
import { callerWith, nodeView, nowMs, type TestFront, testFront } from '#test/support/front.js'
import { refuseWritesSql, runtimeOf, type TestRuntime } from '#test/support/runtime.js'

const Refused = t.intersection([
  t.type({ error: t.string, detail: t.string }),
  t.partial({ required: t.string, field: t.string, candidates: t.array(t.string) }),
])
const readers = { name: 'bot', capabilities: ['entity.read', 'token.manage'] }
/** Direction marks and invisible characters. */
const hidden = [
  ...['\u061c', '\u200e', '\u200f', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e'],
  ...['\u2066', '\u2067', '\u2068', '\u2069', '\u200b', '\u2028', '\u2029', '\u3164', '\ufe0f', '\ud800'],
]
const makeAudit = () => {
  const lines: Array<unknown> = []
  const audit: Audit = line => void lines.push(line)
  return { lines, audit }
}

describe('named tokens over HTTP', () => {
  let runtime: TestRuntime
  let front: TestFront
  let tokens: HostNamedTokens
  let audit: ReturnType<typeof makeAudit>
  let clockMs: number
  const start = async (): Promise<void> => {
    tokens = hostNamedTokens(runtime.db().namedTokens, audit.audit, clockMs)
    front = await testFront({
      callers: { manager: callerWith(['token.manage', 'sync.read'], 'Brzoza') },
      kinds: { named_: namedCaller(hash => tokens.find(hash)) },
      node: nodeView({ namedTokens: tokens }),
      clock: { nowMs: () => clockMs, monotonicMs: () => performance.now() },
    })
  }
  beforeEach(async () => {
    clockMs = nowMs
    runtime = runtimeOf()
    audit = makeAudit()
    await start()
  })
  afterEach(async () => {
    await front.close()
    runtime.dispose()
  })

  const post = (body: object, token?: string, query = '') =>
    front.client.ask(`/tokens${query}`, {
      method: 'POST',
      body: JSON.stringify(body),
      ...(token === undefined ? {} : { token }),
    })
  const mint = async (body: object): Promise<NamedTokenMinted> => {
    const reply = await post(body)
    equal(reply.status, 201, reply.text)
    if (!NamedTokenMinted.is(reply.json)) throw new Error(reply.text)
    return reply.json
  }
  const list = async (): Promise<NamedTokenList> => {
    const { json, text } = await front.client.ask('/tokens')
    if (!NamedTokenList.is(json)) throw new Error(text)
    return json
  }
  const revoke = (id: string, query = '') => front.client.ask(`/tokens/${id}${query}`, { method: 'DELETE' })
  const refusalOf = (reply: { readonly json: unknown }): t.TypeOf<typeof Refused> => {
    if (!Refused.is(reply.json)) throw new Error(JSON.stringify(reply.json))
    return reply.json
  }
  const statusWith = async (token: string): Promise<number> =>
    (await front.client.ask('/entities', { token })).status

  it('are shown once, listed without the token, and let their holder in', async () => {
    const { token, ...row } = await mint(readers)
    match(token, /^named_[0-9a-f]{16}\.[A-Za-z0-9_-]{43}$/)
    const created = new Date(nowMs).toISOString()
    deepEqual(row, { id: row.id, ...readers, created, expires: null, by: 'machine' })
    deepEqual(await list(), { count: 1, items: [row] })
    equal(await statusWith(token), 200)
    equal((await front.client.ask('/people', { token })).status, 403)
    deepEqual(audit.lines, [
      {
        ...{ action: 'token.mint', actor: 'machine', id: row.id, name: 'bot' },
        capabilities: 'entity.read token.manage',
      },
    ])
  })

  it('outlive a restart of the host, and answer before its first snapshot', async () => {
    const { token } = await mint({ ...readers, capabilities: ['capability.read', 'entity.read'] })
    await front.close()
    runtime.reopen()
    await start()
    equal(await statusWith(token), 200)
    front.serve(null)
    equal((await front.client.ask('/health', { token })).status, 200)
    equal(await statusWith(token), 503, 'known, and the lore is not there yet')
    equal(await statusWith(`${token}x`), 401)
  })

  it('are gone with the next request when they are revoked', async () => {
    const { id, token } = await mint(readers)
    deepEqual((await revoke(id, '?dryRun=true')).json, { id, name: 'bot', revoked: false })
    equal(await statusWith(token), 200)
    deepEqual((await revoke(id)).json, { id, name: 'bot', revoked: true })
    equal(await statusWith(token), 401)
    equal(refusalOf(await revoke(id)).error, 'TokenNotFound')
    runtime.reopen()
    equal(runtime.db().namedTokens.outstanding(0).size, 0)
    deepEqual(audit.lines.at(-1), { action: 'token.revoke', actor: 'machine', id })
  })

  it('end when they said they would', async () => {
    const { token, expires, id } = await mint({ ...readers, expiresIn: 60 })
    equal(expires, new Date(nowMs + 60_000).toISOString())
    clockMs = nowMs + 59_999
    equal(await statusWith(token), 200)
    clockMs = nowMs + 60_000
    equal(await statusWith(token), 401)
    equal((await list()).count, 0)
    equal(refusalOf(await revoke(id)).error, 'TokenNotFound')
    await mint(readers)
    equal(runtime.db().namedTokens.outstanding(0).size, 1, 'swept at the next that is minted')
  })

  it('freeze nothing that their minter does not hold', async () => {
    const beyond = await post(readers, 'manager')
    equal(beyond.status, 403)
    equal(refusalOf(beyond).required, 'entity.read')
    const within = await post({ name: 'bot', capabilities: ['sync.read'] }, 'manager')
    equal(within.status, 201)
    equal((await list()).items[0]?.by, 'Brzoza')
    const strange = await post({ name: 'bot', capabilities: ['sync.reed'] })
    equal(strange.status, 422)
    deepEqual(
      [refusalOf(strange).error, refusalOf(strange).candidates],
      ['ValueRefused', ['sync.read', 'sync.run']],
    )
    equal(refusalOf(await post({ name: 'bot', capabilities: ['docs.edit'] })).error, 'ValueRefused')
  })

  it('mint weaker ones alone', async () => {
    const { token } = await mint(readers)
    equal((await post({ name: 'x', capabilities: ['entity.read'] }, token)).status, 201)
    equal((await post({ name: 'x', capabilities: ['admin.all'] }, token)).status, 403)
  })

  it('are revoked by who could not mint them: less is no elevation', async () => {
    const { id, token } = await mint({ name: 'strong', capabilities: ['admin.all'] })
    const gone = await front.client.ask(`/tokens/${id}`, { method: 'DELETE', token: 'manager' })
    equal(gone.status, 200, gone.text)
    equal(await statusWith(token), 401)
    deepEqual(audit.lines.at(-1), { action: 'token.revoke', actor: 'Brzoza', id })
  })

  it('are not minted by a dry run', async () => {
    const reply = await post({ ...readers, expiresIn: 1 }, undefined, '?dryRun=true')
    equal(reply.status, 200)
    const { capabilities } = readers
    const expires = new Date(nowMs + 1000).toISOString()
    deepEqual(reply.json, { wouldMint: 'bot', capabilities, expires })
    equal(refusalOf(await post(readers, 'manager', '?dryRun=true')).error, 'Forbidden')
    equal((await list()).count, 0)
    deepEqual(audit.lines, [])
  })

  it('are refused where the disk refuses: none is told, none is taken back', async () => {
    const { id, token } = await mint(readers)
    runtime.execute(refuseWritesSql('named_tokens'))
    for (const reply of [await post(readers), await revoke(id)]) {
      equal(reply.status, 503)
      equal(refusalOf(reply).error, 'DiskRefused')
      doesNotMatch(reply.text, /named_/)
    }
    equal((await list()).count, 1)
    equal(await statusWith(token), 200)
  })

  it('want a name, a set that is not empty, and a whole number of seconds', async () => {
    for (const wrong of [
      { name: '' },
      { name: ' bot' },
      { name: 'a\nb' },
      { name: 'a'.repeat(101) },
      ...hidden.map(mark => ({ name: `b${mark}ot` })),
      { capabilities: [] },
      { capabilities: 'entity.read' },
      { capabilities: [1] },
      { expiresIn: 0 },
      { expiresIn: 1.5 },
      { expiresIn: -1 },
      { expiresIn: '60' },
      { expiresIn: 315_360_001 },
      { expiresIn: null },
    ]) {
      const reply = await post({ ...readers, ...wrong })
      equal(`${reply.status} ${refusalOf(reply).error}`, '400 BodyInvalid', JSON.stringify(wrong))
    }
    const given = { id: 'mine', token: 'named_mine', created: 0, by: 'Cis' }
    equal(refusalOf(await post({ ...readers, ...given })).error, 'BodyInvalid')
  })
})
