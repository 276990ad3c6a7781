import { match } from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { type ChatIssuer, chatIssuer, jwkOf } from '#test/support/chat/chat-issuer.js'
import { linkedChat } from '#test/support/chat/chat-node.js'
import { type Daemon, postJson, startDaemon } from '#test/support/daemon.js'
import { tokenWithHeader } from '#test/support/identity/forged-tokens.js'
import { clientId, issuer as named } from '#test/support/identity/id-tokens.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'

describe('an id token without a nonce at a daemon that is killed', () => {
  let issuer: ChatIssuer
  let repository: Repository
  let daemon: Daemon
  before(async () => {
    issuer = await chatIssuer(jwkOf('first'))
    const chat = { client_id: clientId, issuer: named, jwks_url: issuer.jwksUrl }
    const binding = { chatId: linkedChat, gameId: '7001', since: '2026-01-01T00:00:00Z', by: 'x' }
    repository = repositoryOf({
      '.svc/format.json': '{"format": 2}\n',
      '.svc/config.json': JSON.stringify({ integrations: { chat } }),
      '.svc/bindings.json': JSON.stringify({ bindings: [binding] }),
      'kontrybutorzy.md': '## Gracz\n\n### Brzoza\n- @gameid: 7001\n',
    })
    daemon = await startDaemon(['serve', '--repo', repository.path])
  })
  after(async () => {
    if (daemon.process.exitCode === null) await daemon.stop('SIGKILL')
    repository.dispose()
    await issuer.close()
  })

  const signIn = async (token: string): Promise<string> => {
    const { status, body } = await postJson(daemon, '/auth/chat', { id_token: token })
    return `${status} ${JSON.stringify(body)}`
  }

  it('signs in once, before and after the kill', async () => {
    const token = tokenWithHeader({})
    match(await signIn(token), /^200 .*"sess_/)
    await daemon.stop('SIGKILL')
    daemon = await startDaemon(['serve', '--repo', repository.path])
    match(await signIn(token), /^401 .*"Unauthorized"/)
    match(await signIn(tokenWithHeader({})), /^200 .*"sess_/)
  })
})
