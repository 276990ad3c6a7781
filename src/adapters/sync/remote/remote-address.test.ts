import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { mergedTreeOf, pushOutcome, remoteFailure } from './git-words.js'
import { isBranchName, isRemoteName, parkedFolderOf, transportOf } from './remote-address.js'

describe('the address of a remote', () => {
  it('has one of four transports, or none', () => {
    const cases = {
      '/srv/lore.git': 'file',
      '../lore.git': 'file',
      'file:///srv/lore.git': 'file',
      'git@host:lore.git': 'ssh',
      'ssh://git@host:2222/lore.git': 'ssh',
      'https://host/lore.git': 'https',
      'http://host/lore.git': null,
      'http://127.0.0.1:8080/lore.git': 'http',
      'http://localhost/lore.git': 'http',
      'HTTP://[::1]:8080/lore.git': 'http',
      'http://user:word@127.0.0.1/lore.git': null,
      'http://127.0.0.1\\@host/lore.git': null,
      'http://127.0.0.1 @host/lore.git': null,
      'http://127.0.0.1.host/lore.git': null,
      'http://10.0.0.1/lore.git': null,
      'http://192.168.0.1/lore.git': null,
      'http://169.254.169.254/lore.git': null,
      'http://[fd00::1]/lore.git': null,
      'git://host/lore.git': null,
      'ext::sh -c id': null,
      'fd::3': null,
      '--upload-pack=id': null,
      '': null,
    }
    for (const [address, transport] of Object.entries(cases)) equal(transportOf(address), transport, address)
  })

  it('and branch of a committed configuration are names, never options or specs', () => {
    deepEqual(['origin', 'a-b.c'].map(isRemoteName), [true, true])
    deepEqual(['-o', 'ext::x', '../x', 'a b', ''].map(isRemoteName), [false, false, false, false, false])
    deepEqual(['main', 'a/b', 'zażółć'].map(isBranchName), [true, true, true])
    const bad = [
      '-x',
      'a:b',
      'a..b',
      'a b',
      '.a',
      'a/.b',
      'a.lock',
      'a/',
      '@{-1}',
      'HEAD',
      '@',
      'refs/../x',
      '',
      '*',
    ]
    deepEqual(bad.filter(isBranchName), [])
  })

  it('gives every town a folder that is a part of a ref', () => {
    equal(parkedFolderOf('Erathia'), 'refs/svc/parked/Erathia')
    equal(parkedFolderOf(''), 'refs/svc/parked/host')
    equal(parkedFolderOf('a.lock/..'), 'refs/svc/parked/a%2elock%2f%2e%2e')
  })
})

describe('what git says', () => {
  it('of a merged tree is read by path and side', () => {
    const [tree, a, b] = ['1', '2', '3'].map(digit => digit.repeat(40))
    deepEqual(mergedTreeOf(`${tree}\0`), { tree, conflicted: [] })
    deepEqual(
      mergedTreeOf(
        `${tree}\x00100644 ${a} 1\tż b.md\x00100644 ${b} 3\tż b.md\x00\x001\x00ż b.md\x00CONFLICT\x00`,
      ),
      { tree, conflicted: [{ path: 'ż b.md', base: a, ours: null, theirs: b, mode: '100644' }] },
    )
    equal(mergedTreeOf('fatal: no\n'), null)
  })

  it('of a push is believed where it says something', () => {
    const ref = 'x:refs/heads/main'
    equal(pushOutcome(0, `\t${ref}\tok`, '')._tag, 'Pushed')
    equal(pushOutcome(1, `!\t${ref}\t[rejected] (fetch first)`, '')._tag, 'Behind')
    equal(
      pushOutcome(1, `!\t${ref}\t[remote rejected] (cannot lock ref 'refs/heads/main')`, '')._tag,
      'Behind',
    )
    equal(pushOutcome(1, `!\t${ref}\t[remote rejected] (pre-receive hook declined)`, '')._tag, 'Refused')
    equal(pushOutcome(null, '', 'killed')._tag, 'Unknown')
    equal(pushOutcome(128, '', 'fatal: the remote end hung up unexpectedly')._tag, 'Unknown')
  })

  it('of a remote that does not answer is told apart', () => {
    equal(remoteFailure("fatal: Authentication failed for 'https://host/'"), 'auth_failed')
    equal(remoteFailure('git@host: Permission denied (publickey).'), 'auth_failed')
    equal(remoteFailure("fatal: '/x' does not appear to be a git repository"), 'unreachable')
    equal(remoteFailure("fatal: transport 'ext' not allowed"), 'transport_refused')
    equal(remoteFailure('error: inflate: data stream error'), 'failed')
  })
})
