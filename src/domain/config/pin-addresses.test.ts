import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { addressRows, type PinnedKey, pinnedAddresses } from '#protocol/host/addresses.js'
import { configKeys } from '#protocol/host/config.js'
import { sourceFile } from '#test/support/world.js'
import { sources } from '#test/tidy/sources.js'
import { type AddressTrust, findingOfChange, judgeAddress, pinAddresses, showAddress } from './addresses.js'
import { readConfig } from './read-config.js'

const forge = 'integrations.forge.api_url'
const chat = 'integrations.chat.api_url'
const good = 'https://forge.example/api/v4'
const evil = 'https://evil.example/api/v4'

const configOf = (values: Readonly<Partial<Record<PinnedKey, string>>>) => ({
  ...readConfig(null).config,
  ...values,
})
const hold = (values: Readonly<Partial<Record<PinnedKey, string>>>, trust: Partial<AddressTrust> = {}) =>
  pinAddresses(configOf(values), { pins: {}, given: {}, ...trust })

describe('the table of secrets and addresses', () => {
  const keys = new Set(addressRows.map(({ key }) => key))

  it('has every key of the configuration that is an address or decides who signs in', () => {
    const isAddress = (name: string, unit: string | null): boolean =>
      unit === 'URL' ||
      /url|uri|host|issuer|client|guild|remote|address|proxies|bind|project|endpoint/.test(name) ||
      /signature|auth_|challenge|^corpora\./.test(name)
    const missing = Object.entries(configKeys)
      .filter(([name, { unit }]) => isAddress(name, unit) && !keys.has(name))
      .map(([name]) => name)
    deepEqual(missing, [], 'say in protocol/host/addresses.ts what is sent there')
  })

  it('has every secret of the environment', () => {
    const named = new Set(
      sources
        .filter(({ path }) => /^(src|actors)\//.test(path) && !path.endsWith('.test.ts'))
        .flatMap(({ text }) => text.match(/SVC_[A-Z_]*(?:TOKEN|KEY|SECRET|PASSWORD)\b/g) ?? []),
    )
    const known = addressRows.map(({ secret }) => secret ?? '').join(' ')
    // The token of an interaction is a variable of the request, not of this process.
    named.delete('SVC_INTERACTION_TOKEN')
    ok(named.size >= 3)
    for (const secret of named)
      ok(known.includes(secret), `${secret} has no row in protocol/host/addresses.ts`)
  })

  it('has the secret of every file that sends one', () => {
    const senders = sources
      .filter(({ path }) => path.startsWith('src/adapters/') && !path.endsWith('.test.ts'))
      .filter(({ text }) => /\.reveal\(\)|authorization:|'private-token'/.test(text))
      .map(({ path }) => path)
    deepEqual(senders.toSorted(), [
      'src/adapters/outbound/chat-http.ts',
      'src/adapters/outbound/daemon-client.ts',
      'src/adapters/outbound/fetch-text.ts',
      'src/adapters/outbound/forge-http.ts',
    ])
  })

  for (const { key, secret, variable, form } of pinnedAddresses)
    it(`pins ${key} at its first use, and goes on with it whatever is committed later`, () => {
      const [before, after] = form === 'text' ? ['one', 'two'] : [good, evil]
      const first = hold({ [key]: before })
      deepEqual([first.config[key], first.first, first.pins], [before, [key], { [key]: before }])
      const later = hold({ [key]: after }, first)
      deepEqual([later.config[key], later.first, later.pins], [before, [], first.pins])
      deepEqual(
        later.changed.map(({ pinned, committed }) => [pinned, committed]),
        [[before, after]],
      )
      ok(
        secret === null || variable !== null,
        'an address that gets a secret can be given where the secret is',
      )
    })
})

describe('an address that is pinned', () => {
  const pins = { [forge]: good }

  it('is refused by its scheme, port, user, path and host, and not by its spelling', () => {
    for (const same of [
      'https://FORGE.example/api/v4',
      `${good}/`,
      'https://forge.example:443/api/v4',
      'https://forge\u3002example/api/v4',
      'https:\\\\forge.example\\api\\v4',
      'https://forge.example/other/../api/v4',
    ])
      deepEqual(hold({ [forge]: same }, { pins }).changed, [], same)
    for (const other of [
      'http://forge.example/api/v4',
      'http://127.0.0.1/api/v4',
      'https://forge.example:444/api/v4',
      'https://user@forge.example/api/v4',
      'https://forge.example/other/api/v4',
      'https://forge.example.evil/api/v4',
      'https://forge.example./api/v4',
      'https://forge.example@evil.example/api/v4',
      'https://forge.example\\@evil.example/api/v4',
      'https://evil.example/api/v4#@forge.example/api/v4',
      'https://evil.example/?/forge.example/api/v4',
      'https://f\u043erge.example/api/v4',
      'https://forge.example\u2044evil.example/api/v4',
      'https://[2001:db8::1]/api/v4',
      'https://[::ffff:127.0.0.1]/api/v4',
      'http://[::1]/api/v4',
      'http://2130706433/api/v4',
      'http://localhost./api/v4',
      'https://forge.example/api/v4/../../evil/api/v4',
      'https://forge.example//api/v4',
      'data:text/plain,/api/v4',
      `${good}?to=evil`,
      'not an address',
    ]) {
      const held = hold({ [forge]: other }, { pins })
      deepEqual([held.config[forge], held.changed.length, held.pins], [good, 1, pins], other)
    }
  })

  it('sends nothing where the key is empty, and keeps its pin for the next commit', () => {
    const off = hold({ [forge]: '' }, { pins })
    deepEqual([off.config[forge], off.changed, off.pins], ['', [], pins])
    equal(hold({ [forge]: evil }, off).config[forge], good)
  })

  it('is not pinned where the host cannot use it', () => {
    for (const bad of ['http://forge.example/api/v4', 'https://forge.example', 'x'])
      deepEqual([hold({ [forge]: bad }).first, hold({ [forge]: bad }).pins], [[], {}], bad)
  })

  it('gives way to the given one, which is pinned then; a given one that is unusable leaves none', () => {
    const given = { [forge]: 'https://given.example/api/v4' }
    const held = hold({ [forge]: evil }, { pins, given })
    deepEqual([held.config[forge], held.changed, held.pins], [given[forge], [], given])
    equal(hold({ [forge]: evil }, held).config[forge], given[forge])
    const none = hold({ [forge]: evil }, { pins, given: { [forge]: '' } })
    deepEqual([none.config[forge], none.changed, none.pins], ['', [], pins])
  })

  it('keeps the pins of the other keys', () => {
    const held = hold({ [chat]: 'https://chat.example/api' }, { pins })
    deepEqual(held.pins, { ...pins, [chat]: 'https://chat.example/api' })
  })

  it('is no key that differs while the host runs', () => {
    const trust = { pins, given: { [chat]: 'https://given.example' } }
    equal(judgeAddress(trust, forge, evil), 'refused')
    equal(judgeAddress(trust, forge, `${good}/`), 'same')
    equal(judgeAddress(trust, forge, ''), 'differs')
    equal(judgeAddress(trust, chat, evil), 'same')
    equal(judgeAddress(trust, 'integrations.chat.issuer', evil), 'differs')
    equal(judgeAddress(trust, 'server.port', 1), 'differs')
  })

  it('is shown so that no look-alike of the pinned one passes for it', () => {
    const shown = (row: string, committed: string): string => {
      const found = pinnedAddresses.find(({ key }) => key === row)
      if (found === undefined) throw new Error(row)
      return showAddress(found, committed)
    }
    equal(shown(forge, 'https://f\u043erge.example/api/v4'), 'https://xn--frge-55d.example/api/v4')
    equal(shown(forge, 'https://f\u043erge.example'), 'https://f\\u{43e}rge.example')
    equal(
      shown('integrations.chat.issuer', 'https://\u0456ssuer.example\n\u202e'),
      'https://\\u{456}ssuer.example\\u{a}\\u{202e}',
    )
    equal(
      shown('integrations.chat.jwks_url', 'https://u:p@k.example/jwks'),
      'https://[redacted]@k.example/jwks',
    )
  })

  it('is in the finding with the line of the committed one, without what a URL may hide', () => {
    const text = `{"integrations": {"forge": {\n"api_url": "https://user:pass@evil.example/api/v4?x=secret"}}}`
    const file = sourceFile('.svc/config.json', text)
    const [changed] = pinAddresses(readConfig(file).config, { pins, given: {} }).changed
    if (changed === undefined) throw new Error('nothing changed')
    const { kind, line, subject, reason, suggestion } = findingOfChange(file, changed)
    deepEqual([kind, line, subject], ['AddressChanged', 2, forge])
    match(reason, /evil\.example.* goes on with https:\/\/forge\.example\/api\/v4/)
    ok(!/pass|=secret/.test(reason))
    match(suggestion ?? '', /kronika trust integrations\.forge\.api_url/)
  })
})
