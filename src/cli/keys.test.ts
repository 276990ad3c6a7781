import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { left, right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { exitCodes } from '#protocol/exit-code.js'
import { type KeysWork, keysCommands } from './keys.js'
import type { KeysList } from './keys-list.js'

const listed: KeysList = {
  commit: '0123456789abcdef0123456789abcdef01234567',
  epoch: 4,
  privateKey: '/lore/.svc/state/fleet.key',
  unreadable: null,
  keys: [
    {
      kid: 'Arkadia.1',
      town: 'Arkadia',
      standing: 'older',
      notAfter: '2026-06-15T13:00:00.000Z',
      held: true,
      x: 'a',
    },
    { kid: 'Arkadia.2', town: 'Arkadia', standing: 'current', notAfter: null, held: true, x: 'b' },
    { kid: 'Inna.1', town: 'Inna', standing: 'unusable', notAfter: null, held: false, x: 'c' },
  ],
}
const here = { repo: '.', json: false }

const rig = (work: KeysWork['list']) => {
  const out: Array<string> = []
  const err: Array<string> = []
  const unasked = () => Promise.reject(new Error('not asked for'))
  const commands = keysCommands(
    { list: work, rotate: unasked, revoke: unasked },
    { out: text => void out.push(text), err: text => void err.push(text), isTerminal: false },
  )
  return { out, err, list: commands.list }
}
const over = (changes: Partial<KeysList> = {}) => rig(() => Promise.resolve(right({ ...listed, ...changes })))

describe('the command keys list', () => {
  it('prints epoch and commit, then a row per key in columns', async () => {
    const { list, out, err } = over()
    equal(await list(here), exitCodes.ok)
    deepEqual(out.join('\n').split('\n'), [
      'epoch 4, commit 0123456789ab',
      'KEY        TOWN     STANDING  VALID UNTIL               PRIVATE HALF',
      'Arkadia.1  Arkadia  older     2026-06-15T13:00:00.000Z  here',
      'Arkadia.2  Arkadia  current   replaced                  here',
      'Inna.1     Inna     unusable  never valid               elsewhere',
    ])
    deepEqual(err, [])
  })

  it('prints all it knows as JSON, and nothing else on stdout', async () => {
    const { list, out } = over()
    await list({ ...here, json: true })
    deepEqual(JSON.parse(out.join('\n')), listed)
  })

  it('says so where no key is left, and where private halves cannot be read', async () => {
    const none = over({ keys: [] })
    equal(await none.list(here), exitCodes.ok)
    equal(none.out[1], 'no published keys')
    const blind = over({
      unreadable: 'it cannot be read (EACCES)',
      keys: listed.keys.map(key => ({ ...key, held: null })),
    })
    equal(await blind.list(here), exitCodes.ok)
    match(blind.err.join(), /^kronika keys list: .*fleet\.key: it cannot be read \(EACCES\)\. .* run it as/)
    equal(blind.out.join('\n').match(/unknown$/gm)?.length, 3)
  })

  it('lets no name of a committed key speak to the terminal, or make a row', async () => {
    const kid = 'x\u001b[2J\nArkadia.3  Arkadia  current'
    const { list, out } = over({ keys: listed.keys.map(key => ({ ...key, kid })) })
    await list(here)
    ok(!out.join('').includes('\u001b'))
    equal(out.join('\n').split('\n').length, 2 + listed.keys.length)
  })

  it('tells on stderr why it cannot, with the exit code of the reason', async () => {
    const { list, out, err } = rig(() =>
      Promise.resolve(left({ code: exitCodes.findings, reason: 'the field $.keys[0].kid \u001b[2J' })),
    )
    equal(await list(here), exitCodes.findings)
    deepEqual([out, err], [[], ['kronika keys list: the field $.keys[0].kid \\u001b[2J']])
  })
})
