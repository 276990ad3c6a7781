import { deepEqual, equal, match } from 'node:assert/strict'
import { left, right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { instantOf } from '#protocol/atoms.js'
import type { NamedTokenWish } from '#protocol/identity/sign-in.js'
import { type TokenAdmin, tokenCommands } from './token.js'

const at = instantOf(Date.parse('2026-06-15T12:00:00Z'))
const row = {
  id: '00ff',
  name: 'bot',
  capabilities: ['entity.read', 'sync.all'],
  expires: at,
  created: at,
  by: 'Cis',
}

const rig = (overrides: Partial<TokenAdmin> = {}) => {
  const out: Array<string> = []
  const err: Array<string> = []
  const wishes: Array<NamedTokenWish> = []
  const tokens: TokenAdmin = {
    mint: wish => {
      wishes.push(wish)
      return Promise.resolve(right({ ...row, token: 'named_00ff.secret' }))
    },
    list: () => Promise.resolve(right({ count: 1, items: [row] })),
    revoke: id => Promise.resolve(right({ id, name: 'bot', revoked: true })),
    ...overrides,
  }
  const commands = tokenCommands(
    (_options, work) => work(tokens),
    {
      out: text => void out.push(text),
      err: text => void err.push(text),
      isTerminal: false,
    },
    ({ repo, state }, id) => `take back ${id} ${repo} ${state ?? ''}`,
  )
  return { out, err, wishes, commands }
}
const here = { repo: '.', json: false }

describe('the command token', () => {
  it('prints the token alone on stdout, and the rest on stderr', async () => {
    const { commands, out, err, wishes } = rig()
    equal(await commands.mint({ ...here, name: 'bot', capability: ['entity.read'], expiresIn: 60 }), 0)
    deepEqual(out, ['named_00ff.secret'])
    match(
      err.join('\n'),
      /minted 00ff \(bot\): entity\.read sync\.all; valid on this host until 2026-06-15T12:00:00\.000Z/,
    )
    match(err.join('\n'), /^The token is not shown again\. To revoke it: take back 00ff \. $/m)
    deepEqual(wishes, [{ name: 'bot', capabilities: ['entity.read'], expiresIn: 60 }])
  })

  it('refuses a name that no token has, before it opens anything', async () => {
    const { commands, err } = rig()
    equal(await commands.mint({ ...here, name: ' bot', capability: ['entity.read'] }), 64)
    equal(await commands.mint({ ...here, name: '', capability: ['entity.read'] }), 64)
    for (const mark of ['\u202e', '\u2066', '\u200f', '\u061c', '\u200b'])
      equal(await commands.mint({ ...here, name: `b${mark}ot`, capability: ['entity.read'] }), 64)
    for (const said of err) match(said, /a name must have 1 to 100 characters, .* no space at its ends/)
    equal(err.length, 7)
  })

  it('lists in columns, says that there are none, and prints JSON', async () => {
    const one = rig()
    equal(await one.commands.list(here), 0)
    match(one.out.join('\n'), /^00ff {2}bot {3}2026-06-15T12:00:00\.000Z {2}Cis {8}entity\.read sync\.all$/m)
    const none = rig({ list: () => Promise.resolve(right({ count: 0, items: [] })) })
    await none.commands.list(here)
    deepEqual(none.out, ['no named tokens'])
    const json = rig()
    await json.commands.list({ ...here, json: true })
    deepEqual(JSON.parse(json.out.join()), { count: 1, items: [row] })
  })

  it('tells a refusal on stderr and ends with 65', async () => {
    const refuses = {
      revoke: () => Promise.resolve(left({ error: 'TokenNotFound', detail: 'There is none.' })),
    }
    const words = rig(refuses)
    equal(await words.commands.revoke({ ...here, id: 'x' }), 65)
    deepEqual([words.out, words.err], [[], ['TokenNotFound: There is none.']])
    const json = rig(refuses)
    await json.commands.revoke({ ...here, id: 'x', json: true })
    deepEqual(JSON.parse(json.err.join()), { error: 'TokenNotFound', detail: 'There is none.' })
  })
})
