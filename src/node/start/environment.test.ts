import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { listCutVariables } from './environment.js'

describe('the variables of a start that git does not get', () => {
  it('are named with the setting that has their effect', () => {
    const ssh = 'git config core.sshCommand COMMAND'
    deepEqual(listCutVariables({ PATH: '/bin', GIT_SSH_COMMAND: 'ssh -i /etc/key', GIT_SSH: '/bin/ssh' }), [
      { variable: 'GIT_SSH_COMMAND', mend: ssh },
      { variable: 'GIT_SSH', mend: ssh },
    ])
    deepEqual(listCutVariables({ GIT_SSL_NO_VERIFY: '1' }), [
      { variable: 'GIT_SSL_NO_VERIFY', mend: 'git config http.sslCAInfo FILE' },
    ])
  })

  it('are none where they are absent or empty', () => {
    deepEqual(listCutVariables({ GIT_SSH_COMMAND: '', HOME: '/root' }), [])
  })
})
