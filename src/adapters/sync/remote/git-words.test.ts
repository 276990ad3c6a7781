import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { causeOf, pushOutcome } from './git-words.js'

const rights = 'Please make sure you have the correct access rights\nand the repository exists.\n'
const unread = 'fatal: Could not read from remote repository.'

const messages: ReadonlyArray<readonly [what: string, stderr: string, cause: string]> = [
  [
    'a folder that went away',
    `fatal: '/srv/lore.git' does not appear to be a git repository\n${unread}\n\n${rights}`,
    "fatal: '/srv/lore.git' does not appear to be a git repository",
  ],
  [
    'a key that the host does not know',
    `git@example.org: Permission denied (publickey).\r\n${unread}\n\n${rights}`,
    'git@example.org: Permission denied (publickey).',
  ],
  [
    'a host that has no address, over ssh',
    `ssh: Could not resolve hostname example.org: Name or service not known\r\n${unread}\n\n${rights}`,
    'ssh: Could not resolve hostname example.org: Name or service not known',
  ],
  [
    'a host that does not answer, over https',
    "fatal: unable to access 'https://[redacted]@127.0.0.1:1/x.git/': Failed to connect to 127.0.0.1 port 1 after 0 ms: " +
      "Couldn't connect to server\n",
    "fatal: unable to access 'https://[redacted]@127.0.0.1:1/x.git/': Failed to connect to 127.0.0.1 port 1 after 0 ms: " +
      "Couldn't connect to server",
  ],
  [
    'a password that is wrong',
    "remote: Invalid username or password.\nfatal: Authentication failed for 'https://example.org/x.git/'\n",
    "fatal: Authentication failed for 'https://example.org/x.git/'",
  ],
  [
    'a hook of the remote',
    'remote: \u001b[31mNie wolno.\u001b[0m\nTo /srv/lore.git\n ! [remote rejected] main -> main (pre-receive hook declined)\n' +
      "error: failed to push some refs to '/srv/lore.git'\n",
    'remote:  [31mNie wolno. [0m',
  ],
  [
    'a tree that no checkout may have',
    "remote: Enumerating objects: 3, done.\nerror: object 1a: hasDotgit: contains '.git'\n" +
      'fatal: fsck error in packed object\nfatal: fetch-pack: invalid index-pack output\n',
    "error: object 1a: hasDotgit: contains '.git'",
  ],
  ['nothing but what is always said', `${unread}\n\n${rights}`, unread],
  ['nothing', '', 'git printed nothing.'],
]

describe('the cause that git names', () => {
  for (const [what, stderr, cause] of messages) it(`of ${what}`, () => equal(causeOf(stderr), cause))

  it('is one line of 300 characters at most', () => {
    equal(causeOf(`fatal: ${'x'.repeat(1000)}\n`).length, 300)
  })

  it('stands beside the refusal of a push', () => {
    const stdout =
      'To /srv/lore.git\n!\tmain:refs/heads/main\t[remote rejected] (pre-receive hook declined)\n'
    const outcome = pushOutcome(1, stdout, 'remote: Nie wolno.\nerror: failed to push some refs\n')
    const detail = '[remote rejected] (pre-receive hook declined); remote: Nie wolno.'
    deepEqual(outcome, { _tag: 'Refused', detail })
  })

  const gone =
    'send-pack: unexpected disconnect while reading sideband packet\nfatal: the remote end hung up unexpectedly\n'

  const refusals: ReadonlyArray<readonly [what: string, report: string, stderr: string, detail: string]> = [
    [
      'of a reference-transaction hook, which ends the whole receiving git',
      '',
      `Zakaz\nZakaz\nfatal: ref updates aborted by hook\n${gone}`,
      'remote: Zakaz fatal: ref updates aborted by hook',
    ],
    [
      'in words that the host does not know',
      '',
      `remote: Tylko w dni parzyste.\nremote: \n${gone}`,
      'remote: Tylko w dni parzyste.',
    ],
    [
      'that sounds like a race',
      '[remote rejected] (hook declined)',
      'remote: please fetch first\nremote: cannot lock ref\n',
      '[remote rejected] (hook declined); remote: please fetch first cannot lock ref',
    ],
    [
      'of many lines, as one of 300 characters',
      '[remote rejected] (pre-receive hook declined)',
      `remote: \u001b[31mNie\u001b[0m\r\nremote: ${'x'.repeat(1000)}\n`,
      `[remote rejected] (pre-receive hook declined); remote:  [31mNie [0m ${'x'.repeat(1000)}`.slice(0, 347),
    ],
  ]
  for (const [what, report, stderr, detail] of refusals)
    it(`is the refusal ${what}`, () => {
      const printed = report === '' ? '' : `To x\n!\tmain:refs/heads/main\t${report}\n`
      deepEqual(pushOutcome(report === '' ? 128 : 1, printed, stderr), { _tag: 'Refused', detail })
    })

  it('is no refusal where the remote broke down, or never said a word', () => {
    for (const stderr of [gone, `Killed\n${gone}`, `error: RPC failed; HTTP 502 curl 22\n${gone}`])
      equal(pushOutcome(128, '', stderr)._tag, 'Unknown', stderr)
    equal(pushOutcome(null, '', `remote: Czekam.\n${gone}`)._tag, 'Unknown')
  })

  it('stands for a push of which nothing is known', () => {
    const outcome = pushOutcome(128, '', `fatal: '/x' does not appear to be a git repository\n${unread}\n`)
    equal('detail' in outcome && outcome.detail, "fatal: '/x' does not appear to be a git repository")
  })
})
