import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { type Daemon, postJson, startDaemon } from '#test/support/daemon.js'
import { signEnvelope, testGameKey } from '#test/support/identity/game-envelopes.js'
import { type KeyServer, keyServer } from '#test/support/identity/key-server.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'

describe('challenges of a daemon that is killed', () => {
  let keys: KeyServer
  let repository: Repository
  let daemon: Daemon
  before(async () => {
    keys = await keyServer(testGameKey().publicKey.export({ format: 'pem', type: 'spki' }).toString())
    const game = { signing_key_url: keys.url, require_challenge: true }
    repository = repositoryOf({
      '.svc/format.json': '{"format": 2}\n',
      '.svc/config.json': JSON.stringify({ integrations: { game } }),
      'kontrybutorzy.md': '## Gracz\n\n### Brzoza\n- @gameid: 7001\n',
    })
    daemon = await startDaemon(['serve', '--repo', repository.path])
  })
  after(async () => {
    if (daemon.process.exitCode === null) await daemon.stop('SIGKILL')
    repository.dispose()
    await keys.close()
  })

  const challenge = async (): Promise<string> => {
    const { body } = await postJson(daemon, '/auth/game/challenge', {})
    const [, text = ''] = /"challenge":"(\w+)"/.exec(JSON.stringify(body)) ?? []
    return text
  }
  const signIn = async (token: string): Promise<string> => {
    const body = signEnvelope({ userId: '7001', token, ts: Math.floor(Date.now() / 1000) })
    const { status, body: answer } = await postJson(daemon, '/auth/game', body)
    return `${status} ${JSON.stringify(answer)}`
  }

  it('stay burned, and those that were not burned can be used once (S31)', async () => {
    const rounds = await Promise.all(Array.from({ length: 3 }, challenge))
    const kept = await challenge()
    for (const token of rounds) {
      match(await signIn(token), /^200 .*"sess_/)
      await daemon.stop('SIGKILL')
      daemon = await startDaemon(['serve', '--repo', repository.path])
      match(await signIn(token), /^401 .*"ChallengeUnknown"/)
    }
    const both = await Promise.all([signIn(kept), signIn(kept)])
    deepEqual(both.map(one => one.slice(0, 3)).sort(), ['200', '401'])
    equal(new Set(rounds).size, 3)
  })
})
