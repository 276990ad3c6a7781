import { deepEqual, equal, match } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'mocha'
import { configQueryArgs, transientEnvironment } from './transient-remote.js'

const secret = 'https://użytkownik:t%20ajne@example.org:8443/lore.git'

describe('the remote that git is given', () => {
  it('answers for name and password of its own host, and shows them in no setting', () => {
    const env = transientEnvironment(secret, '')
    const asked = (host: string): string =>
      spawnSync('git', ['credential', 'fill'], {
        env: { PATH: process.env['PATH'], GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: 'false', ...env },
        input: `protocol=https\nhost=${host}\n\n`,
        encoding: 'utf8',
      }).stdout
    match(asked('example.org:8443'), /username=użytkownik\npassword=t ajne\n/)
    equal(asked('example.net').includes('t ajne'), false)
    const settings = Object.entries(env).filter(([name]) => name.startsWith('GIT_CONFIG'))
    equal(JSON.stringify(settings).includes('ajne'), false)
  })

  it('has the settings of the configured one that are kept, and the address as it is', () => {
    const env = transientEnvironment('../bare.git', 'remote.a.b.receivepack\nsetsid git-receive-pack\0')
    deepEqual(env, {
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'remote.kronika-sync.url',
      GIT_CONFIG_VALUE_0: '../bare.git',
      GIT_CONFIG_KEY_1: 'remote.kronika-sync.receivepack',
      GIT_CONFIG_VALUE_1: 'setsid git-receive-pack',
    })
    equal(
      transientEnvironment('http://127.0.0.1/lore.git', '')['GIT_CONFIG_KEY_1'],
      'http.http://127.0.0.1/lore.git.followRedirects',
    )
    equal(configQueryArgs('a.b').at(-1), '^remote\\.a\\.b\\.(uploadpack|receivepack|proxy|proxyauthmethod)$')
  })
})
