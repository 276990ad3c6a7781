import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type ChatIssuer, chatIssuer, jwkOf } from '#test/support/chat/chat-issuer.js'
import { linkedChat } from '#test/support/chat/chat-node.js'
import { type Daemon, eventually, postJson, startDaemon } from '#test/support/daemon.js'
import { type ForgeDouble, forgeDouble } from '#test/support/forge/forge-double.js'
import { tokenWithHeader } from '#test/support/identity/forged-tokens.js'
import { clientId, issuerKey, issuer as issuerName } from '#test/support/identity/id-tokens.js'
import { orrin } from '#test/support/node.js'
import {
  cloneOf,
  gitIn,
  type Repository,
  repositoryOf,
  temporaryFolder,
  writeFiles,
} from '#test/support/repository.js'

const config = '.svc/config.json'
const chatConfig = (chat: object): string => JSON.stringify({ integrations: { chat } })

describe('the forge that a commit names', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let [good, evil]: ReadonlyArray<ForgeDouble> = []
  let daemon: Daemon | null = null
  afterEach(async () => {
    await daemon?.stop()
    await good?.close()
    await evil?.close()
    folder.dispose()
  })

  it('gets no token of the forge that this host used before', async () => {
    folder = temporaryFolder()
    const at = (name: string): string => join(folder.path, name)
    good = await forgeDouble({ repository: at('lore.git') })
    evil = await forgeDouble({ repository: at('evil.git'), project: good.project })
    const { project } = good
    const files = (apiUrl: string) => ({
      '.svc/format.json': '{"format": 2}\n',
      [config]: JSON.stringify({
        server: { sync_interval_min: 600, publish_mode: 'mr' },
        integrations: { forge: { api_url: apiUrl, project } },
      }),
      'encje/indeks.md': orrin,
    })
    gitIn(folder.path, 'init', '-q', '-b', 'main', at('person'))
    const push = (apiUrl: string): void => {
      writeFiles(at('person'), files(apiUrl))
      gitIn(at('person'), 'add', '-A')
      gitIn(at('person'), 'commit', '-q', '-m', 'config')
      gitIn(at('person'), 'push', '-q', at('lore.git'), 'main')
    }
    push(good.apiUrl)
    cloneOf(at('lore.git'), at('host'))
    const stop = async (): Promise<void> => {
      const running = daemon
      daemon = null
      if (running !== null) equal(await running.stop(), 0)
    }
    /** Starts the host and publishes an entity; returns its log. */
    const publish = async (name: string): Promise<string> => {
      const args = ['serve', '--repo', at('host'), '--town', 'Deyja']
      const host = await startDaemon(args, { SVC_FORGE_TOKEN: good?.token ?? '' })
      daemon = host
      await postJson(host, '/sync', {})
      const made = await eventually(
        () => postJson(host, '/entities', { name, type: 'NPC' }),
        ({ status }) => status !== 403,
      )
      equal(made.status, 201, JSON.stringify(made.body))
      await postJson(host, '/sync', {})
      await stop()
      return host.stderr()
    }
    await publish('Gelu')
    const before = good.calls.length
    ok(before > 0)
    gitIn(at('person'), 'pull', '-q', at('lore.git'), 'main')
    push(evil.apiUrl)
    // The first of these starts has the commit from its converge, and the second one starts with it.
    await publish('Tyris')
    match(await publish('Ryland'), /integrations\.forge\.api_url.*"event":"address_changed"/)
    deepEqual([evil.calls.length, good.calls.length > before], [0, true])
  })
})

describe('the keys of sign-in that a commit names', () => {
  let good: ChatIssuer
  let evil: ChatIssuer
  let repository: Repository
  const chat = (over: object = {}) => ({
    client_id: clientId,
    issuer: issuerName,
    jwks_url: good.jwksUrl,
    guild_id: '',
    ...over,
  })
  beforeEach(async () => {
    good = await chatIssuer(jwkOf('first'))
    evil = await chatIssuer(jwkOf('first', issuerKey('evil').publicKey))
    repository = repositoryOf({
      '.svc/format.json': '{"format": 2}\n',
      [config]: chatConfig(chat()),
      '.svc/bindings.json': JSON.stringify({
        bindings: [{ chatId: linkedChat, gameId: '7001', since: '2026-01-01T00:00:00Z', by: 'x' }],
      }),
      'kontrybutorzy.md': '## Gracz\n\n### Brzoza\n- @gameid: 7001\n',
    })
  })
  afterEach(async () => {
    repository.dispose()
    await good.close()
    await evil.close()
  })

  it('sign nobody in whom the pinned ones would refuse', async () => {
    const signIn = async (tokens: ReadonlyArray<string>): Promise<ReadonlyArray<number>> => {
      const daemon = await startDaemon(['serve', '--repo', repository.path])
      const statuses: Array<number> = []
      for (const id_token of tokens)
        statuses.push((await postJson(daemon, '/auth/chat', { id_token })).status)
      equal(await daemon.stop(), 0)
      return statuses
    }
    const forged = (): string => tokenWithHeader({ kid: 'first' }, issuerKey('evil').privateKey)
    deepEqual(await signIn([tokenWithHeader({ kid: 'first' }), forged()]), [200, 401])
    repository.commit({ [config]: chatConfig(chat({ jwks_url: evil.jwksUrl })) }, 'config: other keys')
    deepEqual(await signIn([tokenWithHeader({ kid: 'first' }), forged()]), [200, 401])
    equal(evil.fetches(), 0)
    repository.commit(
      { [config]: chatConfig(chat({ issuer: evil.url, client_id: 'another' })) },
      'config: another issuer and application',
    )
    deepEqual(await signIn([tokenWithHeader({ kid: 'first' })]), [200])
  })
})
