import { deepEqual, equal, ok } from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { readSecrets, valuesOf } from './secrets.js'

const token = 'planted.bot-token_of.the.test'

describe('the credentials of a host', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kronika-secrets-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const fileOf = (text: string): string => {
    const path = join(folder, 'token')
    writeFileSync(path, text)
    return path
  }

  it('come from a variable or from the file that it names, without its line end', () => {
    for (const environment of [
      { SVC_CHAT_BOT_TOKEN: token },
      { SVC_CHAT_BOT_TOKEN_FILE: fileOf(`${token}\n`) },
      { SVC_CHAT_BOT_TOKEN: '', SVC_CHAT_BOT_TOKEN_FILE: fileOf(token) },
    ]) {
      const { secrets, findings } = readSecrets(environment)
      equal(secrets.chatBotToken?.reveal(), token)
      deepEqual(valuesOf(secrets), [token])
      deepEqual(findings, [])
    }
  })

  it('are read apart: a token of the forge that is unusable takes nothing from the bot', () => {
    const { secrets, findings } = readSecrets({ SVC_CHAT_BOT_TOKEN: token, SVC_FORGE_TOKEN: 'planted one' })
    deepEqual([secrets.chatBotToken?.reveal(), secrets.forgeToken], [token, null])
    deepEqual(
      findings.map(({ variable }) => variable),
      ['SVC_FORGE_TOKEN'],
    )
    const both = readSecrets({ SVC_CHAT_BOT_TOKEN: token, SVC_FORGE_TOKEN_FILE: fileOf('glpat-planted\n') })
    equal(both.secrets.forgeToken?.reveal(), 'glpat-planted')
    deepEqual(valuesOf(both.secrets), [token, 'glpat-planted'])
  })

  it('are absent without a finding where nothing is given', () => {
    const { secrets, findings } = readSecrets({ SVC_CHAT_BOT_TOKEN: '' })
    equal(secrets.chatBotToken, null)
    deepEqual(valuesOf(secrets), [])
    deepEqual(findings, [])
  })

  const unusable: ReadonlyArray<readonly [what: string, environment: () => NodeJS.ProcessEnv]> = [
    ['both are given', () => ({ SVC_CHAT_BOT_TOKEN: token, SVC_CHAT_BOT_TOKEN_FILE: fileOf(token) })],
    ['the file is not there', () => ({ SVC_CHAT_BOT_TOKEN_FILE: join(folder, 'absent') })],
    ['the file is a folder', () => ({ SVC_CHAT_BOT_TOKEN_FILE: folder })],
    ['the file is empty', () => ({ SVC_CHAT_BOT_TOKEN_FILE: fileOf('\n') })],
    ['it has a line end inside', () => ({ SVC_CHAT_BOT_TOKEN: `${token}\r\nHost: elsewhere` })],
    ['it has a blank', () => ({ SVC_CHAT_BOT_TOKEN: `Bot ${token}` })],
    ['it has a letter outside ASCII', () => ({ SVC_CHAT_BOT_TOKEN: `${token}ł` })],
  ]
  for (const [what, environment] of unusable)
    it(`are absent with a finding that does not show them: ${what}`, () => {
      const { secrets, findings } = readSecrets(environment())
      equal(secrets.chatBotToken, null)
      equal(findings.length, 1)
      ok(!JSON.stringify(findings).includes('planted'))
    })

  it('cannot be printed', () => {
    const { secrets } = readSecrets({ SVC_CHAT_BOT_TOKEN: token })
    const shown = [
      JSON.stringify(secrets),
      String(Object.entries(secrets)),
      inspect(secrets, { depth: null, showHidden: true }),
    ]
    for (const text of shown) ok(!text.includes('planted'), 'a credential shows')
  })

  describe('with their addresses', () => {
    const forge = 'integrations.forge.api_url'
    const good = 'https://forge.example/api/v4'

    it('are given by a variable, or by the second line of the file, whatever ends its lines', () => {
      for (const environment of [
        { SVC_FORGE_TOKEN: token, SVC_FORGE_URL: `${good}/` },
        { SVC_FORGE_TOKEN_FILE: fileOf(`${token}\n${good}`) },
        { SVC_FORGE_TOKEN_FILE: fileOf(`${token}\r\n${good}\r\n`) },
        { SVC_FORGE_TOKEN_FILE: fileOf(`${token}\n${good}\n`), SVC_FORGE_URL: good },
      ]) {
        const { secrets, addresses, findings } = readSecrets(environment)
        equal(secrets.forgeToken?.reveal(), token)
        deepEqual([addresses, findings], [{ [forge]: good }, []])
      }
    })

    it('have none where nothing is given, and each its own', () => {
      deepEqual(readSecrets({ SVC_FORGE_TOKEN: token, SVC_FORGE_URL: '' }).addresses, {})
      const { addresses } = readSecrets({ SVC_CHAT_URL: 'https://chat.example/api', SVC_FORGE_TOKEN: token })
      deepEqual(addresses, { 'integrations.chat.api_url': 'https://chat.example/api' })
    })

    for (const [what, environment] of [
      ['is no https address', () => ({ SVC_FORGE_URL: 'http://forge.example/api/v4' })],
      ['has a user', () => ({ SVC_FORGE_URL: 'https://a:planted@forge.example/api/v4' })],
      ['has another path', () => ({ SVC_FORGE_URL: 'https://forge.example' })],
      ['has a line end inside', () => ({ SVC_FORGE_URL: `https://forge.\nexample/api/v4` })],
      [
        'has a carriage return inside',
        () => ({ SVC_FORGE_TOKEN_FILE: fileOf(`${token}\nhttps://fo\rrge/api/v4`) }),
      ],
      ['is an empty second line', () => ({ SVC_FORGE_TOKEN_FILE: fileOf(`${token}\n\n${good}`) })],
      [
        'differs from the second line',
        () => ({
          SVC_FORGE_URL: 'https://other.example/api/v4',
          SVC_FORGE_TOKEN_FILE: fileOf(`${token}\n${good}`),
        }),
      ],
    ] as const)
      it(`leave no address where the given one is unusable: it ${what}`, () => {
        const { addresses, findings } = readSecrets(environment())
        deepEqual(addresses, { [forge]: '' })
        ok(findings.length > 0)
        ok(!JSON.stringify(findings).includes('planted'))
      })
  })
})
