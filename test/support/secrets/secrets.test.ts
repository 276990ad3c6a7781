import { deepEqual, equal, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { eventually } from '#test/support/daemon.js'
import { repositoryOf, temporaryFolder } from '#test/support/repository.js'
import { tellCommits, tellState, tellTitles } from './secret-places.js'
import { type Exchange, onExchange } from './secret-traffic.js'
import { type PlantedSecrets, searchFor } from './secrets.js'

const makeToken = (prefix = ''): string => prefix + randomBytes(32).toString('base64url')

describe('the search for secrets', () => {
  let search: PlantedSecrets
  let token: string
  beforeEach(() => {
    search = searchFor()
    token = makeToken('sess_')
    ok(search.plant('a token', token))
  })
  const finds = (...leaks: ReadonlyArray<string>): void => deepEqual(search.leaks(), leaks)

  it('finds what is planted wherever it stands, and names the output', () => {
    search.told('a log', `{"token":"${token}"}`)
    search.told('a path', `GET /claim/${token}?x=1`)
    search.told('a word', `aaaaaaaaaaaaaaaa${token}zzzzzzzzzz`)
    finds('a token in a log', 'a token in a path', 'a token in a word')
  })

  it('finds neither parts of it, nor another, nor itself where nothing was planted', () => {
    for (const text of [token.slice(0, -1), token.slice(1), makeToken('sess_'), '', 'sess_'])
      search.told('a log', text)
    const empty = searchFor()
    empty.told('a log', token)
    deepEqual([search.leaks(), empty.leaks()], [[], []])
  })

  it('says of a text that it cannot be searched for', () => {
    for (const text of ['', 'short', 'a'.repeat(40), 'no long word in this text'])
      equal(search.plant('x', text), false, text)
    equal(search.counts().secrets, 1)
  })

  it('finds the longest word of what has several, such as a private key', () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
    ok(search.plant('a private key', pem))
    search.told('an error', `bad key ${pem.replaceAll('\n', '\\n')}`)
    search.told('another error', pem)
    finds('a private key in an error', 'a private key in another error')
  })

  describe('in the places of a host', () => {
    let folder: ReturnType<typeof temporaryFolder>
    beforeEach(() => {
      folder = temporaryFolder()
    })
    afterEach(() => folder.dispose())

    it('finds it in a file of the state area, across the parts that are read', () => {
      mkdirSync(join(folder.path, 'streams'))
      const edge = 4 * 1024 * 1024
      writeFileSync(join(folder.path, 'streams/audit.jsonl'), `${' '.repeat(edge - 10)}${token}\n`)
      writeFileSync(
        join(folder.path, 'runtime.db'),
        Buffer.concat([Buffer.from([0, 255]), Buffer.from(token)]),
      )
      tellState(search, folder.path)
      deepEqual(search.leaks().toSorted(), [
        'a token in the state area: runtime.db',
        'a token in the state area: streams/audit.jsonl',
      ])
    })

    it('searches for what a host keeps in its secret files, not in them', () => {
      const [machine, { privateKey }] = [makeToken(), generateKeyPairSync('ed25519')]
      const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
      writeFileSync(join(folder.path, 'machine.token'), `${machine}\n`)
      writeFileSync(join(folder.path, 'fleet.key'), pem)
      tellState(search, folder.path)
      finds()
      search.told('a log', `${machine} ${pem}`)
      finds('what machine.token keeps in a log', 'what fleet.key keeps in a log')
    })

    it('finds it in a commit, in its message, and in an object that no branch has any more', () => {
      for (const [file, message] of [
        [token, 'text'],
        ['text', token],
      ] as const) {
        search = searchFor()
        search.plant('a token', token)
        const repository = repositoryOf({ 'a.md': 'A\n' })
        try {
          repository.commit({ 'b.md': `${file}\n` }, message)
          repository.git('reset', '-q', '--hard', 'HEAD~1')
          tellCommits(search, repository.path)
          finds('a token in a commit')
        } finally {
          repository.dispose()
        }
      }
    })

    it('finds it in the title of a process, and of one that it started', async () => {
      const child = spawn('sh', ['-c', 'read line', 'sh', token], { stdio: ['pipe', 'ignore', 'ignore'] })
      try {
        await eventually(
          () => {
            tellTitles(search, child.pid ?? 0)
            return Promise.resolve(search.leaks())
          },
          leaks => leaks.length > 0,
        )
        finds('a token in a process title')
        const above = searchFor()
        above.plant('a token', token)
        tellTitles(above, process.pid)
        deepEqual(above.leaks(), ['a token in a process title'])
      } finally {
        child.kill('SIGKILL')
      }
    })
  })

  describe('in what passes between client and host', () => {
    const exchange = (over: Partial<Exchange>): void =>
      onExchange(search, {
        method: 'GET',
        target: '/v1/api/people',
        token: null,
        sent: undefined,
        status: 401,
        text: '{}',
        ...over,
      })

    it('finds a bearer token, an id_token and a claim code that an answer repeats', () => {
      const [bearer, id, code] = [makeToken(), makeToken('eyJ'), makeToken()]
      exchange({ token: bearer, text: `{"detail":"${bearer} is unknown"}` })
      exchange({
        method: 'POST',
        target: '/v1/api/auth/chat',
        sent: JSON.stringify({ id_token: id }),
        text: `{"detail":"${id}"}`,
      })
      search.plant('a claim code', code)
      exchange({ target: `/v1/api/api-keys/claim/${code}`, text: code })
      finds(
        'a bearer token in an answer 401 to GET /v1/api/people',
        'a credential sent to POST /v1/api/auth/chat in an answer 401 to POST /v1/api/auth/chat',
        'a claim code in an answer 401 to GET /v1/api/api-keys/claim',
      )
    })

    it('lets a minted token stand in the answer that mints it, and nowhere else', () => {
      const minted = makeToken('sess_')
      const target = '/v1/api/auth/game'
      exchange({ method: 'POST', target, status: 200, text: `{"token":"${minted}"}` })
      finds()
      exchange({ status: 200, text: `{"items":["${minted}"]}` })
      finds('a token minted by POST /v1/api/auth/game in an answer 200 to GET /v1/api/people')
    })

    it('takes no hash for a secret, and no word of a test for a caller', () => {
      exchange({ token: 'ab12'.repeat(16), text: 'ab12'.repeat(16) })
      exchange({ token: 'lacks:session-registry.regenerate', text: 'session-registry.regenerate' })
      finds()
    })
  })
})
